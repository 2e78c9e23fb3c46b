package io.keelson.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What /proc tells of processes and of the whole machine. */
final class Processes {
    /** The unit of CPU time in /proc, in microseconds: USER_HZ is 100 on every Linux. */
    static final double TICK_MICROS = 10_000;

    private Processes() {}

    /** The CPU time that a process has used, in ticks. */
    static long cpuTicks(long pid) {
        String stat = read("/proc/" + pid + "/stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    /** The memory of a process that is in RAM, in MiB. */
    static double residentMiB(long pid) {
        return read("/proc/" + pid + "/status")
                        .lines()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                / 1024.0;
    }

    /** What the machine has done and could have done since it started, in ticks of all its cores: busy, all. */
    static long[] machineTicks() {
        String[] fields = read("/proc/stat").lines().findFirst().orElse("").split(" +");
        long all = 0;
        for (int i = 1; i <= 8; i++) {
            all += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[4]) + Long.parseLong(fields[5]);
        return new long[] {all - idle, all};
    }

    /** Collects the garbage of a JVM, so that its memory shows what it holds. */
    static void collectGarbage(long pid) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process process = new ProcessBuilder(List.of(jcmd.toString(), Long.toString(pid), "GC.run"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException("not a Linux, or the process has ended", e);
        }
    }
}
