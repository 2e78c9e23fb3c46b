// What can be watched here: the server's discovery documents, flattened to one entry a resource.

const DISCOVERY_TIMEOUT_MS = 10_000;

/** Fetches a JSON document; an answer that is not 2xx becomes an Error with the Status' message. */
export async function getJson(url) {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.message || `${url} answered ${response.status}`);
  return body;
}

/**
 * Lists every resource that can be listed and watched, in the preferred version of its group.
 * Each entry is {id, group, version, apiVersion, kind, resource, namespaced, base}; `id` is kubectl's way to name it
 * (`configmaps`, `deployments.apps`) and `base` the path of its group version.
 */
export async function discover() {
  const groups = await getJson('/apis');
  const named = (groups.groups ?? []).map((group) => ({
    group: group.name,
    version: group.preferredVersion?.version ?? group.versions[0].version,
  }));
  const versions = [{ group: '', version: 'v1' }, ...named];
  const lists = await Promise.all(versions.map(resourcesOf));
  return lists.flat();
}

async function resourcesOf({ group, version }) {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const list = await getJson(base).catch((error) => {
    // A group that can not be read right now must not hide the others. The core group has to be there.
    if (group === '') throw error;
    return { resources: [] };
  });
  return (list.resources ?? [])
    .filter((r) => !r.name.includes('/') && r.verbs?.includes('list') && r.verbs.includes('watch'))
    .map((r) => ({
      id: resourceId(group, r.name),
      group,
      version,
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind: r.kind,
      resource: r.name,
      namespaced: r.namespaced,
      base,
    }))
    .sort((a, b) => a.resource.localeCompare(b.resource));
}

export function resourceId(group, resource) {
  return group === '' ? resource : `${resource}.${group}`;
}

/** The collection's path under a namespace (all where it is empty) and a label selector, as `resource=` of the stream wants it. */
export function collectionPath(entry, namespace, labelSelector) {
  const scope = entry.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const query = labelSelector === '' ? '' : `?labelSelector=${encodeURIComponent(labelSelector)}`;
  return `${entry.base}${scope}/${entry.resource}${query}`;
}
