package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.ListOptions;
import io.keelson.storage.Preconditions;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reservations as records in the store that all servers share, one a number: the store lets only one of them create a key.
 * A server that ends between a reservation and the write that it is for leaves a record behind, which the next start
 * removes.
 */
public final class StoredReservations implements Reservations {
    private static final Logger LOG = LoggerFactory.getLogger(StoredReservations.class);

    /** How long a write may follow its reservation: longer than any write request takes. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final Storage storage;
    private final String prefix;
    private final InstantSource clock;

    /** @param prefix where the records' keys begin, with a slash at its end */
    public StoredReservations(Storage storage, String prefix, InstantSource clock) {
        this.storage = storage;
        this.prefix = prefix;
        this.clock = clock;
    }

    @Override
    public boolean take(long number) {
        ObjectNode record = Json.object().put("apiVersion", "v1").put("kind", "RangeAllocation");
        record.putObject("metadata")
                .put("name", Long.toString(number))
                .put(
                        "creationTimestamp",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        try {
            storage.create(prefix + number, record, 0);
            return true;
        } catch (StorageException.KeyExists e) {
            return false;
        }
    }

    @Override
    public boolean isFree(long number) {
        try {
            storage.get(prefix + number, null);
            return false;
        } catch (StorageException.KeyNotFound e) {
            return true;
        }
    }

    @Override
    public void giveBack(long number) {
        try {
            storage.delete(prefix + number, Preconditions.NONE, Storage.ValidateDeletion.NONE, null);
        } catch (StorageException.KeyNotFound e) {
            LOG.debug("{}{} was free", prefix, number);
        } catch (StorageException e) {
            LOG.warn("{}{} stays taken until the next start: {}", prefix, number, e.getMessage());
        }
    }

    @Override
    public Set<Long> taken() {
        var numbers = new HashSet<Long>();
        records().forEach(record -> numbers.add(numberOf(record)));
        return numbers;
    }

    @Override
    public void giveBackUnused(Set<Long> used) {
        Instant before = clock.instant().minus(GRACE);
        for (ApiObject record : records()) {
            String made = Trees.text(Json.parseTrusted(record.json()), "metadata", "creationTimestamp");
            if (!used.contains(numberOf(record)) && Instant.parse(made).isBefore(before)) {
                giveBack(numberOf(record));
            }
        }
    }

    private List<ApiObject> records() {
        return storage.getList(prefix, ListOptions.LATEST).items();
    }

    private static long numberOf(ApiObject record) {
        return Long.parseLong(record.meta().name());
    }
}
