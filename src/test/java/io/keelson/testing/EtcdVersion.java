package io.keelson.testing;

/** The minor versions of etcd that the tests run against. */
public enum EtcdVersion {
    /** Sends no progress notifications that can be relied on in the release that is packaged. */
    V3_4("3.4"),
    /** Sends progress notifications that can be relied on. */
    V3_5("3.5");

    private final String minor;

    EtcdVersion(String minor) {
        this.minor = minor;
    }

    /** The version as etcd writes it, without the patch: {@code 3.5}. */
    public String minor() {
        return minor;
    }
}
