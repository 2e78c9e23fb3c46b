package io.keelson.api;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;

/** Indents by two spaces, with {@code "key": value} and line feeds, as kube-apiserver's pretty output does. */
final class KubernetesPrettyPrinter extends DefaultPrettyPrinter {
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    KubernetesPrettyPrinter() {
        super(Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER));
        indentArraysWith(INDENTER);
        indentObjectsWith(INDENTER);
    }

    private KubernetesPrettyPrinter(KubernetesPrettyPrinter base) {
        super(base);
    }

    @Override
    public DefaultPrettyPrinter createInstance() {
        return new KubernetesPrettyPrinter(this);
    }
}
