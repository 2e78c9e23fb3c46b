package io.keelson.server;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import org.jspecify.annotations.Nullable;

/** Where the program begins: starts Quarkus, says what is served, and turns a failed start into words and an exit code. */
@QuarkusMain
public final class KeelsonApplication implements QuarkusApplication {
    private static final int FAILED = 1;

    /**
     * Quarkus refuses a URI that breaks RFC 3986 with an empty 400 before any route sees it. The endpoints judge URIs by
     * themselves: they answer with a Status, and take what kube-apiserver takes, such as an unescaped {@code |} in a query.
     * Native images read it when they are built: see {@code quarkus.native.additional-build-args}.
     */
    private static final String NO_URI_VALIDATION = "vertx.disableURIValidation";

    /**
     * How many event loops there are: one for each core. Vert.x makes two, for loops that block now and then; ours never do,
     * and more of them than cores only take turns: each wakes up more often and finds less to do.
     */
    private static final String EVENT_LOOPS = "quarkus.vertx.event-loops-pool-size";

    private static final String EVENT_LOOPS_VARIABLE = "QUARKUS_VERTX_EVENT_LOOPS_POOL_SIZE";

    private final Announcement announcement;

    KeelsonApplication(Announcement announcement) {
        this.announcement = announcement;
    }

    /** Starts the server and returns when it has stopped. */
    public static void main(String... args) {
        System.setProperty(NO_URI_VALIDATION, "true");
        if (System.getProperty(EVENT_LOOPS) == null && System.getenv(EVENT_LOOPS_VARIABLE) == null) {
            System.setProperty(
                    EVENT_LOOPS, Integer.toString(Runtime.getRuntime().availableProcessors()));
        }
        try {
            Quarkus.run(KeelsonApplication.class, KeelsonApplication::exit, args);
        } catch (RuntimeException e) {
            exit(FAILED, e);
        }
    }

    @Override
    public int run(String... args) {
        announcement.print();
        Quarkus.waitForExit();
        return 0;
    }

    private static void exit(Integer code, @Nullable Throwable failure) {
        if (failure == null) {
            System.exit(code);
            return;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case StartupException e -> fail(e.exitCode(), e.getMessage());
                case ConfigValidationException e -> fail(StartupException.BAD_SETTING, problems(e));
                case BindException e ->
                    fail(
                            StartupException.PORT_TAKEN,
                            "the address cannot be listened on: " + e.getMessage()
                                    + "; choose another with keelson.port (KEELSON_PORT) or keelson.host");
                default -> {}
            }
            if (cause.getClass().getSimpleName().equals("QuarkusBindException")) {
                fail(
                        StartupException.PORT_TAKEN,
                        "the port is taken by another process; choose another with keelson.port (KEELSON_PORT)");
            }
        }
        failure.printStackTrace();
        System.exit(FAILED);
    }

    private static String problems(ConfigValidationException e) {
        var text = new StringBuilder("a setting is wrong:");
        for (int i = 0; i < e.getProblemCount(); i++) {
            text.append("\n  ").append(e.getProblem(i).getMessage());
        }
        return text.toString();
    }

    private static void fail(int code, @Nullable String why) {
        System.err.println("Keelson cannot start: " + why);
        System.exit(code);
    }
}
