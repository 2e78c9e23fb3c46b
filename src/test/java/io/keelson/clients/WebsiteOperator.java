package io.keelson.clients;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * An operator as people write them with the Java Operator SDK: keeps a config map for each website, which it owns, tells of
 * it in the status, and cleans up behind a finalizer.
 */
final class WebsiteOperator implements AutoCloseable {
    static final String FINALIZER = "operator.example.com/cleanup";

    private static final int RETRY_MILLIS = 200;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final Operator operator;
    private final Queue<String> cleaned = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> stopped = new ConcurrentLinkedQueue<>();

    /** A place in a reconciliation where a test may hold it up. */
    enum Step {
        BEGUN,
        CONFIG_MAP_WRITTEN
    }

    /** Starts the operator, which has looked at all websites of the namespace when this returns. */
    static WebsiteOperator start(KubernetesClient client, String namespace, Consumer<Step> reached) {
        return new WebsiteOperator(client, namespace, reached);
    }

    private WebsiteOperator(KubernetesClient client, String namespace, Consumer<Step> reached) {
        this.operator = new Operator(configuration -> configuration
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withReconciliationTerminationTimeout(STOP_TIMEOUT)
                .withInformerStoppedHandler((informer, reason) -> {
                    if (reason != null) {
                        stopped.add(reason);
                    }
                }));
        operator.register(
                new Websites(reached),
                configuration -> configuration
                        .settingNamespace(namespace)
                        .withRetry(new GenericRetry()
                                .setInitialInterval(RETRY_MILLIS)
                                .setIntervalMultiplier(1)
                                .setMaxAttempts(Integer.MAX_VALUE)));
        operator.start();
    }

    /** The names of the websites that were cleaned up behind, in the order in which that was done. */
    List<String> cleaned() {
        return List.copyOf(cleaned);
    }

    /** Why informers have given up; empty as long as none has. */
    List<Throwable> stopped() {
        return List.copyOf(stopped);
    }

    @Override
    public void close() {
        operator.stop();
    }

    @ControllerConfiguration(finalizerName = FINALIZER)
    private final class Websites implements Reconciler<Website>, Cleaner<Website> {
        private final Consumer<Step> reached;

        Websites(Consumer<Step> reached) {
            this.reached = reached;
        }

        @Override
        public List<EventSource<?, Website>> prepareEventSources(EventSourceContext<Website> context) {
            var configMaps = InformerEventSourceConfiguration.from(ConfigMap.class, Website.class)
                    .withNamespacesInheritedFromController()
                    .build();
            return List.of(new InformerEventSource<>(configMaps, context));
        }

        @Override
        public UpdateControl<Website> reconcile(Website website, Context<Website> context) {
            reached.accept(Step.BEGUN);
            ConfigMap wanted = configMap(website);
            boolean there = context.getSecondaryResource(ConfigMap.class)
                    .filter(found -> found.getData().equals(wanted.getData()))
                    .isPresent();
            if (!there) {
                context.getClient()
                        .resource(wanted)
                        .fieldManager("websites")
                        .forceConflicts()
                        .serverSideApply();
            }
            reached.accept(Step.CONFIG_MAP_WRITTEN);

            // Server-side apply wants no more than what this manager says.
            var told = new Website();
            told.setMetadata(new ObjectMetaBuilder()
                    .withName(website.getMetadata().getName())
                    .withNamespace(website.getMetadata().getNamespace())
                    .build());
            told.setStatus(new Website.Status());
            told.getStatus().shown = website.getSpec().text;
            told.getStatus().observedGeneration = website.getMetadata().getGeneration();
            return UpdateControl.patchStatus(told);
        }

        @Override
        public DeleteControl cleanup(Website website, Context<Website> context) {
            // The config map goes by its owner.
            cleaned.add(website.getMetadata().getName());
            return DeleteControl.defaultDelete();
        }
    }

    private static ConfigMap configMap(Website website) {
        var configMap = new ConfigMapBuilder()
                .withNewMetadata()
                .withName(website.getMetadata().getName())
                .withNamespace(website.getMetadata().getNamespace())
                .endMetadata()
                .withData(Map.of("index.html", website.getSpec().text))
                .build();
        configMap.addOwnerReference(website).setController(true);
        return configMap;
    }
}
