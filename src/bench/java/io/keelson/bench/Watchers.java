package io.keelson.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Watches of one namespace that look for the stamps in events: when an event was written, and which it is. */
final class Watchers {
    private static final String MARK = "\"stamp\":\"";
    private static final double OPEN_SECONDS = 120;

    /** How many connections are opened before their answers are awaited, so that the server's backlog holds them. */
    private static final int AT_ONCE = 500;

    private final HttpLoop loop;
    private Latencies latencies = new Latencies();
    private long delivered;
    private int open;
    private int lost;

    Watchers(HttpLoop loop) {
        this.loop = loop;
    }

    /** Opens watches that begin after a revision. */
    void open(int count, String path) {
        int before = open;
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Lane lane = loop.lane();
            lane.request(loop.get(path), new Stamps());
            lanes.add(lane);
            if (lanes.size() == AT_ONCE || i == count - 1) {
                int expected = before + i + 1;
                if (!loop.run(() -> open == expected, OPEN_SECONDS)) {
                    throw new IllegalStateException("only " + open + " of " + expected + " watches opened");
                }
                lanes.clear();
            }
        }
    }

    void reset() {
        latencies = new Latencies();
        delivered = 0;
    }

    Latencies latencies() {
        return latencies;
    }

    long delivered() {
        return delivered;
    }

    /** How many watches ended, which none should. */
    int lost() {
        return lost;
    }

    /** Finds the stamps in a body, whatever the pieces it comes in. */
    private final class Stamps implements Lane.Answer {
        private String rest = "";

        @Override
        public void head(int status) {
            if (status == 200) {
                open++;
            }
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            long now = System.nanoTime();
            String text = rest + new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            int at = 0;
            while (true) {
                int mark = text.indexOf(MARK, at);
                int end = mark < 0 ? -1 : text.indexOf('"', mark + MARK.length());
                if (end < 0) {
                    rest = text.substring(mark < 0 ? Math.max(at, text.length() - MARK.length()) : mark);
                    return;
                }
                at = end;
                if (end > mark + MARK.length()) {
                    latencies.add(now - Long.parseLong(text, mark + MARK.length(), end, 10));
                    delivered++;
                }
            }
        }

        @Override
        public void end() {
            lost++;
        }

        @Override
        public void broken() {
            lost++;
        }
    }
}
