package io.keelson.storage.kv;

import java.util.List;

/**
 * What a store says of itself.
 *
 * @param type {@code embedded} or {@code etcd3}
 * @param version of the engine, such as {@code 3.5.16}
 * @param members the cluster's members, by name or endpoint; one for the embedded store
 * @param leader the member that leads, empty where unknown
 * @param databaseBytes the size of its database
 * @param revision its latest revision
 */
public record StoreStatus(
        String type, String version, List<String> members, String leader, long databaseBytes, long revision) {
    public StoreStatus {
        members = List.copyOf(members);
    }
}
