// The objects that this page holds: what the stream told, each object once.

/** The row's name: `configmaps/default/a`, `deployments.apps/default/web`, `namespaces/default`. */
export function objectKey(resource, meta) {
  return meta.namespace ? `${resource.id}/${meta.namespace}/${meta.name}` : `${resource.id}/${meta.name}`;
}

/** Compares two revisions, which are decimal numbers that may be too large for a double. */
export function compareRevisions(a, b) {
  if (a === b) return 0;
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return NaN;
  return BigInt(a) < BigInt(b) ? -1 : 1;
}

export class ObjectStore {
  #byKey = new Map();
  /** Resource id → the keys seen since its initial events began; absent once they ended. */
  #initial = new Map();

  get size() {
    return this.#byKey.size;
  }

  get(key) {
    return this.#byKey.get(key);
  }

  values() {
    return this.#byKey.values();
  }

  beginInitial(resourceId) {
    this.#initial.set(resourceId, new Set());
  }

  isInitial(resourceId) {
    return this.#initial.has(resourceId);
  }

  /** Ends the initial events; gives the objects that are gone because they were not among them. */
  endInitial(resourceId) {
    const seen = this.#initial.get(resourceId);
    this.#initial.delete(resourceId);
    return seen ? this.#removeWhere((held) => held.resource.id === resourceId && !seen.has(held.key)) : [];
  }

  /** Forgets the objects of every collection but these. */
  retain(paths) {
    this.#initial.clear();
    this.#removeWhere((held) => !paths.has(held.resource.path));
  }

  /**
   * Takes one event. Gives the entry that it changed, or null where it told nothing new: an initial event for an
   * object that is already held as it is, or an event that was delivered before.
   */
  apply(type, resource, object, data) {
    const meta = object.metadata;
    const key = objectKey(resource, meta);
    const held = this.#byKey.get(key);
    const seen = this.#initial.get(resource.id);
    seen?.add(key);
    const sameObject = held !== undefined && held.uid === meta.uid;
    const order = sameObject ? compareRevisions(meta.resourceVersion, held.rv) : 1;
    // While objects are sent anew the server's word counts, even where its revisions went back (another data folder).
    if (order === 0 || (order < 0 && !seen)) return null;
    if (type === 'DELETED') {
      if (!held) return null;
      this.#byKey.delete(key);
    }
    const entry = {
      key,
      resource,
      namespace: meta.namespace ?? '',
      name: meta.name,
      uid: meta.uid,
      rv: meta.resourceVersion,
      data,
      type,
      changes: (sameObject ? held.changes : 0) + (seen && !held ? 0 : 1),
      at: Date.now(),
    };
    if (type !== 'DELETED') this.#byKey.set(key, entry);
    return entry;
  }

  #removeWhere(test) {
    const removed = [...this.#byKey.values()].filter(test);
    removed.forEach((held) => this.#byKey.delete(held.key));
    return removed;
  }
}
