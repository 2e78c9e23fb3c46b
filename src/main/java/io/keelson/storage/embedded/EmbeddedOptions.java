package io.keelson.storage.embedded;

import static java.util.Objects.requireNonNull;

import java.time.InstantSource;

/**
 * How to open an {@link EmbeddedKvStore}.
 *
 * @param path the data folder, made where absent, or {@value #MEMORY} for a store that is gone when closed
 * @param clock tells when leases end; a lease keeps its end over a restart
 */
public record EmbeddedOptions(String path, InstantSource clock) {
    public static final String MEMORY = "memory";

    public EmbeddedOptions {
        requireNonNull(path, "path is null");
        requireNonNull(clock, "clock is null");
        if (path.isBlank()) {
            throw new IllegalArgumentException("the embedded store's path is empty: name a folder, or memory");
        }
    }

    boolean inMemory() {
        return path.equals(MEMORY);
    }
}
