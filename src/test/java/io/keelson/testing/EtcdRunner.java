package io.keelson.testing;

import java.nio.file.Path;
import java.util.List;

/** The two ways to run etcd: as a process of this machine, or in a container where there is only Docker. */
sealed interface EtcdRunner permits EtcdProcess, EtcdContainer {
    /** Starts etcd; {@code log} gets what it writes. */
    void start(List<String> flags, Path log);

    boolean alive();

    /** Ends it with SIGTERM and waits for its end. */
    void stop();

    /** Ends it with SIGKILL and waits for its end. */
    void kill();

    /** Runs etcdctl with these arguments and returns its standard output. */
    String etcdctl(List<String> arguments);
}
