package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.registry.Admission;
import io.keelson.registry.StatusRest;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.BuiltinResources;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeProtectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CLAIMS = "persistentvolumeclaims";
    private static final String VOLUMES = "persistentvolumes";

    private final TestingRegistry registry = new TestingRegistry(BuiltinResources.all(), Admission.ALL, true);
    private final VolumeProtection protection = new VolumeProtection(
            registry.store(CLAIMS),
            registry.store(VOLUMES),
            registry.store("pods"),
            TestingRegistry.CLOCK,
            new Backoff(Duration.ofMillis(5), Duration.ofMillis(50)));

    @BeforeEach
    void start() {
        protection.start();
    }

    @AfterEach
    void stop() {
        protection.close();
        registry.close();
    }

    private void claim(String name) {
        registry.create(
                CLAIMS,
                "n",
                "{'metadata':{'name':'" + name
                        + "'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");
    }

    private void pod(String name, String spec) {
        registry.create(
                "pods",
                "n",
                "{'metadata':{'name':'" + name + "'},'spec':{'containers':[{'name':'c','image':'i'}]," + spec + "}}");
    }

    private boolean exists(String resource, String namespace, String name) {
        try {
            registry.read(resource, namespace, name);
            return true;
        } catch (ApiException e) {
            return false;
        }
    }

    private void awaitEnd(String resource, String namespace, String name) {
        await().atMost(PATIENCE).until(() -> !exists(resource, namespace, name));
    }

    @Test
    void lets_a_claim_go_that_no_pod_uses() {
        claim("idle");
        pod("other", "'nodeName':'node','volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'else'}}]");
        pod("unscheduled", "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'idle'}}]");
        registry.delete(CLAIMS, "n", "idle");
        awaitEnd(CLAIMS, "n", "idle");
    }

    @Test
    void holds_a_claim_until_the_pods_that_use_it_have_ended() {
        claim("used");
        claim("web-data");
        claim("witness");
        pod("one", "'nodeName':'node','volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'used'}}]");
        pod("web", "'nodeName':'node','volumes':[{'name':'data','ephemeral':{'volumeClaimTemplate':{'spec':{}}}}]");
        registry.delete(CLAIMS, "n", "used");
        registry.delete(CLAIMS, "n", "web-data");
        registry.delete(CLAIMS, "n", "witness");
        awaitEnd(CLAIMS, "n", "witness");
        assertThat(exists(CLAIMS, "n", "used")).isTrue();
        assertThat(exists(CLAIMS, "n", "web-data")).isTrue();

        var _ = new StatusRest(registry.store("pods"))
                .update(
                        TestingRegistry.in("n"),
                        "one",
                        TestingRegistry.changing(pod -> ((ObjectNode) pod.get("status")).put("phase", "Succeeded")));
        awaitEnd(CLAIMS, "n", "used");
        assertThat(exists(CLAIMS, "n", "web-data")).isTrue();
    }

    @Test
    void holds_a_volume_as_long_as_it_is_bound() {
        for (String name : new String[] {"bound", "free"}) {
            registry.create(
                    VOLUMES,
                    "",
                    "{'metadata':{'name':'" + name + "'},'spec':{'capacity':{'storage':'1Gi'},"
                            + "'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/x'}}}");
        }
        setPhase("bound", "Bound");
        registry.delete(VOLUMES, "", "bound");
        registry.delete(VOLUMES, "", "free");
        awaitEnd(VOLUMES, "", "free");
        assertThat(exists(VOLUMES, "", "bound")).isTrue();
        setPhase("bound", "Released");
        awaitEnd(VOLUMES, "", "bound");
    }

    private void setPhase(String volume, String phase) {
        var _ = new StatusRest(registry.store(VOLUMES))
                .update(
                        TestingRegistry.in(""),
                        volume,
                        TestingRegistry.changing(
                                object -> object.putObject("status").put("phase", phase)));
    }
}
