package io.keelson.clients;

import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** What the {@link WebsiteOperator} looks after. */
@Group("operator.example.com")
@Version("v1")
public final class Website extends CustomResource<Website.Spec, Website.Status> implements Namespaced {
    private static final long serialVersionUID = 1;

    /** What a website is to show. */
    public static final class Spec {
        @Required
        public String text;
    }

    /** What a website shows. */
    public static final class Status {
        public String shown;
        public Long observedGeneration;
    }
}
