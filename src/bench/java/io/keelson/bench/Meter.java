package io.keelson.bench;

import java.util.List;

/** What a stretch of time cost: CPU of the server and its store, and how much else ran on the machine. */
final class Meter {
    /** One measurement's figures; CPU in µs an operation, {@code noise} the share of the machine that others took. */
    record Figures(double seconds, long operations, double serverMicros, double storeMicros, double noise) {
        double perSecond() {
            return operations / seconds;
        }
    }

    private final List<Long> servers;
    private final List<Long> stores;
    private final long began = System.nanoTime();
    private final long serverTicks;
    private final long storeTicks;
    private final long ownTicks;
    private final long[] machine;

    Meter(List<Long> servers, List<Long> stores) {
        this.servers = servers;
        this.stores = stores;
        this.serverTicks = ticks(servers);
        this.storeTicks = ticks(stores);
        this.ownTicks = ticks(self());
        this.machine = Processes.machineTicks();
    }

    Figures stop(long operations) {
        double seconds = (System.nanoTime() - began) / 1e9;
        long server = ticks(servers) - serverTicks;
        long store = ticks(stores) - storeTicks;
        long own = ticks(self()) - ownTicks;
        long[] now = Processes.machineTicks();
        double other = Math.max(0, now[0] - machine[0] - server - store - own);
        double unit = Processes.TICK_MICROS / Math.max(1, operations);
        return new Figures(seconds, operations, server * unit, store * unit, other / Math.max(1, now[1] - machine[1]));
    }

    private static List<Long> self() {
        return List.of(ProcessHandle.current().pid());
    }

    private static long ticks(List<Long> pids) {
        return pids.stream().mapToLong(Processes::cpuTicks).sum();
    }
}
