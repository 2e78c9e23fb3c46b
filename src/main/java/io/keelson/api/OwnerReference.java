package io.keelson.api;

/** An entry of {@code metadata.ownerReferences}: who owns the object, by uid. */
public record OwnerReference(
        String apiVersion, String kind, String name, String uid, boolean controller, boolean blockOwnerDeletion) {}
