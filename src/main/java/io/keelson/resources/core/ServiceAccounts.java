package io.keelson.resources.core;

import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;

/** Service accounts: who a pod is to the server. */
public final class ServiceAccounts {
    private ServiceAccounts() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "ServiceAccount", "serviceaccounts")
                .shortNames("sa")
                .strategy(new AccountStrategy())
                .defaults(Defaults.NONE)
                .columns(Column.AGE)
                .returnsDeletedObject()
                .build();
    }

    private static final class AccountStrategy extends BasicStrategy {
        AccountStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public boolean allowUnconditionalUpdate() {
            return false;
        }
    }
}
