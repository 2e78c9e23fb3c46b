package io.keelson.definitions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * CustomResourceDefinitions that projects publish, as they are in the libraries that carry them, and one that is generated of
 * a class, as projects generate theirs.
 */
public enum PublishedDefinition {
    FLINK_DEPLOYMENTS("flinkdeployments.flink.apache.org", "META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml"),
    FLINK_SESSION_JOBS(
            "flinksessionjobs.flink.apache.org", "META-INF/fabric8/flinksessionjobs.flink.apache.org-v1.yml"),
    FLINK_STATE_SNAPSHOTS(
            "flinkstatesnapshots.flink.apache.org", "META-INF/fabric8/flinkstatesnapshots.flink.apache.org-v1.yml"),
    CAMEL_BUILDS("builds.camel.apache.org", "camel.apache.org_builds.yaml"),
    CAMEL_CATALOGS("camelcatalogs.camel.apache.org", "camel.apache.org_camelcatalogs.yaml"),
    CAMEL_INTEGRATION_KITS("integrationkits.camel.apache.org", "camel.apache.org_integrationkits.yaml"),
    CAMEL_INTEGRATION_PLATFORMS("integrationplatforms.camel.apache.org", "camel.apache.org_integrationplatforms.yaml"),
    CAMEL_INTEGRATION_PROFILES("integrationprofiles.camel.apache.org", "camel.apache.org_integrationprofiles.yaml"),
    CAMEL_INTEGRATIONS("integrations.camel.apache.org", "camel.apache.org_integrations.yaml"),
    CAMEL_KAMELET_BINDINGS("kameletbindings.camel.apache.org", "camel.apache.org_kameletbindings.yaml"),
    CAMEL_KAMELETS("kamelets.camel.apache.org", "camel.apache.org_kamelets.yaml"),
    CAMEL_PIPES("pipes.camel.apache.org", "camel.apache.org_pipes.yaml"),
    PLATFORMS("platforms.platform.example.com", "");

    private final String metadataName;
    private final String resource;

    PublishedDefinition(String metadataName, String resource) {
        this.metadataName = metadataName;
        this.resource = resource;
    }

    /** What the definition is called. */
    public String metadataName() {
        return metadataName;
    }

    /** The definition in YAML, in UTF-8. */
    public byte[] yaml() {
        return resource.isEmpty() ? GeneratedDefinition.yaml(Platform.class) : published();
    }

    private byte[] published() {
        try (InputStream stream = PublishedDefinition.class.getClassLoader().getResourceAsStream(resource)) {
            return Objects.requireNonNull(stream, resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
