package io.keelson.definitions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * CustomResourceDefinitions of real projects, none of them copied: those of Flink and Camel K are in the libraries that carry
 * them, those of Strimzi are made by its own generator of its own classes, in both of its versions. {@link #PLATFORMS} alone is
 * nobody's: fabric8's generator makes it of a class of these tests, with the specs of many built-in kinds and with more rules
 * than the real ones have.
 *
 * <p>Four are of several hundred kilobytes of YAML, up to 14 levels deep and with rules in CEL: {@link #STRIMZI_KAFKAS} (830 KB, 390 KB
 * as JSON), {@link #PLATFORMS} (615 and 165 KB), {@link #STRIMZI_MIRROR_MAKERS} (325 and 165 KB) and {@link #STRIMZI_CONNECTS} (285
 * and 140 KB).
 */
public enum PublishedDefinition {
    FLINK_DEPLOYMENTS("flinkdeployments.flink.apache.org", flink("flinkdeployments")),
    FLINK_SESSION_JOBS("flinksessionjobs.flink.apache.org", flink("flinksessionjobs")),
    FLINK_STATE_SNAPSHOTS("flinkstatesnapshots.flink.apache.org", flink("flinkstatesnapshots")),
    CAMEL_BUILDS("builds.camel.apache.org", camel("builds")),
    CAMEL_CATALOGS("camelcatalogs.camel.apache.org", camel("camelcatalogs")),
    CAMEL_INTEGRATION_KITS("integrationkits.camel.apache.org", camel("integrationkits")),
    CAMEL_INTEGRATION_PLATFORMS("integrationplatforms.camel.apache.org", camel("integrationplatforms")),
    CAMEL_INTEGRATION_PROFILES("integrationprofiles.camel.apache.org", camel("integrationprofiles")),
    CAMEL_INTEGRATIONS("integrations.camel.apache.org", camel("integrations")),
    CAMEL_KAMELET_BINDINGS("kameletbindings.camel.apache.org", camel("kameletbindings")),
    CAMEL_KAMELETS("kamelets.camel.apache.org", camel("kamelets")),
    CAMEL_PIPES("pipes.camel.apache.org", camel("pipes")),
    STRIMZI_BRIDGES("kafkabridges.kafka.strimzi.io", strimzi("bridge.KafkaBridge")),
    STRIMZI_CONNECTS("kafkaconnects.kafka.strimzi.io", strimzi("connect.KafkaConnect")),
    STRIMZI_CONNECTORS("kafkaconnectors.kafka.strimzi.io", strimzi("connector.KafkaConnector")),
    STRIMZI_KAFKAS("kafkas.kafka.strimzi.io", strimzi("kafka.Kafka")),
    STRIMZI_MIRROR_MAKERS("kafkamirrormaker2s.kafka.strimzi.io", strimzi("mirrormaker2.KafkaMirrorMaker2")),
    STRIMZI_NODE_POOLS("kafkanodepools.kafka.strimzi.io", strimzi("nodepool.KafkaNodePool")),
    STRIMZI_POD_SETS("strimzipodsets.core.strimzi.io", strimzi("podset.StrimziPodSet")),
    STRIMZI_REBALANCES("kafkarebalances.kafka.strimzi.io", strimzi("rebalance.KafkaRebalance")),
    STRIMZI_TOPICS("kafkatopics.kafka.strimzi.io", strimzi("topic.KafkaTopic")),
    STRIMZI_USERS("kafkausers.kafka.strimzi.io", strimzi("user.KafkaUser")),
    PLATFORMS("platforms.platform.example.com", () -> GeneratedDefinition.yaml(Platform.class));

    private final String metadataName;
    private final Supplier<byte[]> source;

    PublishedDefinition(String metadataName, Supplier<byte[]> source) {
        this.metadataName = metadataName;
        this.source = source;
    }

    /** What the definition is called. */
    public String metadataName() {
        return metadataName;
    }

    /** The definition in YAML, in UTF-8. */
    public byte[] yaml() {
        return source.get();
    }

    private static Supplier<byte[]> flink(String plural) {
        return () -> carried("META-INF/fabric8/" + plural + ".flink.apache.org-v1.yml");
    }

    private static Supplier<byte[]> camel(String plural) {
        return () -> carried("camel.apache.org_" + plural + ".yaml");
    }

    private static Supplier<byte[]> strimzi(String name) {
        return () -> StrimziDefinitions.yaml(name);
    }

    private static byte[] carried(String resource) {
        try (InputStream stream = PublishedDefinition.class.getClassLoader().getResourceAsStream(resource)) {
            return Objects.requireNonNull(stream, resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
