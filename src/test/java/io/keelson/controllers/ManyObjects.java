package io.keelson.controllers;

import io.keelson.testing.ApiClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Makes objects by the thousands, several at a time, and counts them. Stateless. */
final class ManyObjects {
    /** How many requests are under way at once. */
    private static final int CLIENTS = 16;

    private ManyObjects() {}

    /** @param object what to post for each number from 0 */
    static void create(ApiClient api, String path, int count, IntFunction<String> object) {
        try (var threads =
                Executors.newFixedThreadPool(CLIENTS, Thread.ofVirtual().factory())) {
            CompletableFuture.allOf(IntStream.range(0, count)
                            .mapToObj(i -> CompletableFuture.runAsync(
                                    () -> api.post(path, object.apply(i)).succeeded(), threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    /** How many objects a collection has. */
    static long count(ApiClient api, String path) {
        var page = api.get(path + "?limit=1").succeeded().json();
        return page.path("items").size()
                + page.at("/metadata/remainingItemCount").asLong();
    }

    /** The JSON of an object that names one owner, of the core group's kinds. */
    static String dependent(String name, String ownerKind, String ownerName, String ownerUid, boolean blocking) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\""
                + ownerKind + "\",\"name\":\"" + ownerName + "\",\"uid\":\"" + ownerUid
                + "\",\"blockOwnerDeletion\":" + blocking + "}]}}";
    }
}
