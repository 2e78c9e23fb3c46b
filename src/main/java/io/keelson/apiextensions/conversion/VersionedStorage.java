package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Storage;
import io.keelson.storage.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One version of a custom resource over the storage that all its versions share, which holds each object in the version that it
 * was written in. Does not own the storage. Thread-safe.
 *
 * <p>Whatever a write needs converted, for the store or for its answer, is converted before it, so that one that cannot be answered
 * does not happen. Left are a write that changes nothing but the spelling of a number, and another's that comes between.
 */
public final class VersionedStorage implements Storage {
    /** How many objects are converted together at least to fill the page of a client that selects by what is converted. */
    private static final int PART = 500;

    private final Storage shared;
    private final Set<ConvertedWatch> watches = ConcurrentHashMap.newKeySet();

    /** What may change, changes at once. */
    private record Seen(VersionView view, SelectableFields fields) {}

    private volatile Seen seen;

    private volatile boolean closed;

    /** @param fields those whose values the stored objects carry */
    public VersionedStorage(Storage shared, VersionView view, SelectableFields fields) {
        this.shared = shared;
        this.seen = new Seen(view, fields);
    }

    /** Shows objects in another way from now on, also to those who watch already. */
    public void show(VersionView view, SelectableFields fields) {
        Seen before = seen;
        seen = new Seen(view, fields);
        before.view().forget();
    }

    private VersionView view() {
        return seen.view();
    }

    @Override
    public Storage asStored() {
        return shared;
    }

    @Override
    public ApiObject create(String key, ObjectNode object, long ttlSeconds) {
        VersionView.Written written = view().written(object, null);
        return written.shown().apply(shared.create(key, written.stored(), ttlSeconds));
    }

    @Override
    public ApiObject delete(
            String key, Preconditions preconditions, ValidateDeletion validation, @Nullable ApiObject cachedExisting) {
        VersionView view = view();
        var last = new AtomicReference<ApiObject>();
        ApiObject deleted = shared.delete(
                key,
                preconditions,
                existing -> {
                    validation.validate(existing);
                    last.set(view.served(existing));
                },
                // A suggestion is an object of this version, which must not be taken for the one that is stored.
                null);
        return Objects.requireNonNull(last.get()).withResourceVersion(deleted.resourceVersion());
    }

    @Override
    public ApiObject get(String key, @Nullable Long minimumRevision) {
        return view().served(shared.get(key, minimumRevision));
    }

    @Override
    public ListResult getList(String key, ListOptions options) {
        Seen now = seen;
        if (judgedBelow(now, options)) {
            ListResult list = shared.getList(key, options.withPredicate(bound(options.predicate(), now.fields())));
            return new ListResult(
                    now.view().served(list.items()),
                    list.resourceVersion(),
                    list.continueToken(),
                    list.remainingItemCount());
        }
        return converted(now.view(), key, options, bound(options.predicate(), now.fields()));
    }

    /** Where objects have to be converted before they can be judged, reads until the page is full. */
    private ListResult converted(VersionView view, String key, ListOptions options, SelectionPredicate wanted) {
        ListOptions part = options.withPredicate(byName(wanted));
        // The first part is taken as it is, which is no more than was asked for where there is more to come.
        long room = Long.MAX_VALUE;
        var selected = new ArrayList<ApiObject>();
        while (true) {
            ListResult list = shared.getList(key, part);
            int read = select(view.served(list.items()), wanted, room, selected);
            String next = list.continueToken();
            if (read < list.items().size()) {
                // The page is full within this part: the next page begins where a part of that length ends.
                next = shared.getList(key, part.withPage(read, part.continueToken()))
                        .continueToken();
            }
            room = options.limit() == 0 ? Long.MAX_VALUE : options.limit() - selected.size();
            if (next.isEmpty() || room <= 0) {
                return new ListResult(List.copyOf(selected), list.resourceVersion(), next, null);
            }
            part = part.withResourceVersion(null)
                    .withMatch(ResourceVersionMatch.UNSET)
                    .withPage(Math.max(options.limit(), PART), next);
        }
    }

    /** Adds what is wanted while there is room; returns how many objects were looked at. */
    private static int select(List<ApiObject> objects, SelectionPredicate wanted, long room, List<ApiObject> selected) {
        long end = room == Long.MAX_VALUE ? room : selected.size() + room;
        int read = 0;
        while (read < objects.size() && selected.size() < end) {
            ApiObject object = objects.get(read++);
            if (wanted.matches(object)) {
                selected.add(object);
            }
        }
        return read;
    }

    private static boolean judgedBelow(Seen now, ListOptions options) {
        SelectionPredicate predicate = options.predicate();
        return now.view().selectsStored()
                || (predicate.labels().everything()
                        && predicate.fields().requirements().stream().allMatch(VersionedStorage::isOfName));
    }

    private static boolean isOfName(FieldSelector.Requirement requirement) {
        return requirement.field().equals("metadata.name")
                || requirement.field().equals("metadata.namespace");
    }

    private static SelectionPredicate bound(SelectionPredicate predicate, SelectableFields fields) {
        return new SelectionPredicate(predicate.labels(), predicate.fields(), fields);
    }

    /** The part of a selection that no conversion changes. */
    private static SelectionPredicate byName(SelectionPredicate predicate) {
        List<FieldSelector.Requirement> names = predicate.fields().requirements().stream()
                .filter(VersionedStorage::isOfName)
                .toList();
        return new SelectionPredicate(LabelSelector.EVERYTHING, FieldSelector.of(names), predicate.selectable());
    }

    @Override
    public ApiObject guaranteedUpdate(
            String key,
            boolean ignoreNotFound,
            Preconditions preconditions,
            TryUpdate tryUpdate,
            @Nullable ApiObject cachedExisting) {
        VersionView view = view();
        var last = new AtomicReference<VersionView.Written>();
        ApiObject updated = shared.guaranteedUpdate(
                key,
                ignoreNotFound,
                preconditions,
                existing -> {
                    Updated update = tryUpdate.update(existing == null ? null : view.served(existing));
                    VersionView.Written written = view.written(update.object(), existing);
                    last.set(written);
                    return new Updated(written.stored(), update.ttlSeconds());
                },
                // As with a deletion.
                null);
        return Objects.requireNonNull(last.get()).shown().apply(updated);
    }

    @Override
    public Watch watch(String key, ListOptions options) {
        Seen now = seen;
        SelectionPredicate wanted = bound(options.predicate(), now.fields());
        ConvertedWatch watch = judgedBelow(now, options)
                ? converted(shared.watch(key, options.withPredicate(wanted)), null)
                : selecting(key, options, wanted);
        if (closed) {
            watch.end();
        }
        return watch;
    }

    private ConvertedWatch converted(Watch source, ConvertedWatch.@Nullable Selection selection) {
        var watch = new ConvertedWatch(source, this::view, selection, watches::remove);
        watches.add(watch);
        return watch;
    }

    /** A watch that judges converted objects has to know which of them its client has seen when it begins. */
    private ConvertedWatch selecting(String key, ListOptions options, SelectionPredicate wanted) {
        ListOptions from = options.withPredicate(byName(wanted));
        Long asked = options.resourceVersion();
        boolean any = asked == null || asked == 0;
        boolean withState = options.sendInitialEvents() == null ? any : options.sendInitialEvents();
        List<ApiObject> shown = List.of();
        if (!withState) {
            ListOptions then = any
                    ? ListOptions.LATEST
                    : ListOptions.LATEST.withResourceVersion(asked).withMatch(ResourceVersionMatch.EXACT);
            ListResult state = getList(key, then.withPredicate(wanted));
            shown = state.items();
            from = from.withResourceVersion(state.resourceVersion());
        }
        return converted(shared.watch(key, from), new ConvertedWatch.Selection(wanted, shown));
    }

    @Override
    public long count(String key) {
        return shared.count(key);
    }

    @Override
    public long currentResourceVersion() {
        return shared.currentResourceVersion();
    }

    @Override
    public void requestWatchProgress() {
        shared.requestWatchProgress();
    }

    /** Ends the watches: the version is served no more. */
    @Override
    public void close() {
        closed = true;
        watches.forEach(ConvertedWatch::end);
        view().forget();
    }
}
