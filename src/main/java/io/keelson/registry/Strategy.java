package io.keelson.registry;

/** All that a kind decides about its objects' lives. */
public interface Strategy extends CreateStrategy, UpdateStrategy, DeleteStrategy {}
