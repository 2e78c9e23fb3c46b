// Wires the page. The choice lives in the address (#r=…&ns=…&l=…), so that it can be kept, shared and gone back to.

import { Detail } from './detail.js';
import { collectionPath, discover, getJson } from './discovery.js';
import { EventLog } from './log.js';
import { ObjectStore } from './objects.js';
import { Rings } from './ring.js';
import { WatchStream } from './stream.js';
import { ObjectTable } from './table.js';

const FIRST_CHOICE = ['namespaces', 'pods', 'configmaps'];
const TYPING_MS = 350;
const DISCOVERY_RETRY_MS = 2_000;
const byId = (id) => document.getElementById(id);

const store = new ObjectStore();
const detail = new Detail({
  dialog: byId('detail'),
  title: byId('detail-title'),
  rv: byId('detail-rv'),
  json: byId('detail-json'),
  copy: byId('detail-copy'),
  close: byId('detail-close'),
});
const table = new ObjectTable(store, {
  body: byId('object-rows'),
  empty: byId('object-empty'),
  count: byId('object-count'),
  onOpen: (key) => store.get(key) && detail.open(store.get(key)),
});
const log = new EventLog({ list: byId('log'), count: byId('log-count'), clear: byId('log-clear') });
const rings = new Rings({ list: byId('rings'), note: byId('ring-note'), onHealth: showHealth });
const stream = new WatchStream({
  onState: changeState,
  onInitial: (resource) => store.beginInitial(resource.id),
  onInitialEnd: (resource) => drop(store.endInitial(resource.id)),
  onEvent: takeEvent,
  onPosition: (resource, revision) => rings.seen(resource, revision),
  onStatus: (resource, status) =>
    log.add({ type: 'ERROR', resource, text: `${resource?.id ?? ''} ${status.code ?? ''} ${status.message ?? ''}`.trim() }),
});

let known = [];
let opened = null;
let connection = { state: 'idle', since: Date.now() };

// ---- the stream's events

function takeEvent(type, resource, object, data) {
  const rv = object.metadata?.resourceVersion;
  if (type === 'BOOKMARK') {
    log.add({ type, resource, rv });
    return;
  }
  const initial = store.isInitial(resource.id);
  const entry = store.apply(type, resource, object, data);
  if (!entry) return;
  entry.highlight = !(initial && entry.changes === 0);
  table.touch(entry);
  detail.show(entry);
  log.add({ type, resource, name: entry.key.slice(resource.id.length + 1), rv });
}

function drop(entries) {
  for (const entry of entries) {
    const gone = { ...entry, type: 'DELETED', at: Date.now() };
    table.touch(gone);
    detail.show(gone);
  }
  table.refresh();
}

// ---- connection state and health

function changeState({ state, reason, retryAt }) {
  const same = connection.state === state;
  connection = {
    state,
    since: same ? connection.since : Date.now(),
    reason: reason ?? (same ? connection.reason : undefined),
    retryAt: retryAt ?? (same ? connection.retryAt : undefined),
  };
  showState();
  if (state === 'live' && known.length === 0) loadChoices();
}

function showState() {
  const { state, since, reason, retryAt } = connection;
  const chip = byId('state');
  chip.dataset.state = state;
  if (byId('state-name').textContent !== state) byId('state-name').textContent = state;
  const parts = [];
  if (state !== 'idle') parts.push(`for ${duration(Date.now() - since)}`);
  if (state !== 'idle' && state !== 'live' && reason) parts.push(reason);
  if (state !== 'live' && retryAt > Date.now()) parts.push(`next try in ${Math.ceil((retryAt - Date.now()) / 1000)} s`);
  byId('state-detail').textContent = parts.join(' · ');
}

function duration(millis) {
  const seconds = Math.floor(millis / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h} h ${m} min` : m > 0 ? `${m} min ${s} s` : `${s} s`;
}

function showHealth({ status, down }) {
  const chip = byId('health');
  const words = { UP: 'ready', DOWN: 'not ready', unreachable: 'unreachable' };
  chip.dataset.health = status;
  chip.textContent = down.length > 0 ? `${words[status] ?? status}: ${down.join(', ')}` : (words[status] ?? status);
}

// ---- the choice

function readChoice() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const present = FIRST_CHOICE.filter((id) => known.some((r) => r.id === id));
  return {
    ids: location.hash.length > 1 ? parameters.getAll('r') : present,
    namespace: parameters.get('ns') ?? '',
    selector: parameters.get('l') ?? '',
  };
}

function writeChoice() {
  const parameters = new URLSearchParams();
  document.querySelectorAll('#choices input:checked').forEach((box) => parameters.append('r', box.value));
  const namespace = byId('namespace').value.trim();
  const selector = byId('selector').value.trim();
  if (namespace !== '') parameters.set('ns', namespace);
  if (selector !== '') parameters.set('l', selector);
  // An empty choice is a choice: it must not look like a first visit.
  const hash = parameters.size > 0 ? parameters.toString() : 'r=';
  history.replaceState(null, '', `#${hash}`);
  applyChoice();
}

function applyChoice() {
  const choice = readChoice();
  const chosen = known
    .filter((r) => choice.ids.includes(r.id))
    .map((r) => ({ ...r, path: collectionPath(r, choice.namespace, choice.selector) }));
  showChoice(choice);
  const signature = chosen.map((r) => r.path).join('\n');
  if (signature === opened) return;
  opened = signature;
  store.retain(new Set(chosen.map((r) => r.path)));
  table.setEmptyText(chosen.length === 0 ? 'Choose a resource to watch.' : 'No objects here yet.');
  rings.choose(chosen);
  stream.start(chosen);
}

function showChoice({ ids, namespace, selector }) {
  document.querySelectorAll('#choices input').forEach((box) => (box.checked = ids.includes(box.value)));
  if (document.activeElement !== byId('namespace')) byId('namespace').value = namespace;
  if (document.activeElement !== byId('selector')) byId('selector').value = selector;
}

function drawChoices() {
  const groups = Map.groupBy ? Map.groupBy(known, (r) => r.group) : groupBy(known, (r) => r.group);
  const sets = [...groups].map(([group, resources]) => {
    const set = document.createElement('fieldset');
    const legend = set.appendChild(document.createElement('legend'));
    legend.textContent = group === '' ? 'core' : group;
    const version = legend.appendChild(document.createElement('span'));
    version.className = 'quiet';
    version.textContent = ` ${resources[0].version}`;
    set.append(...resources.map(newChoice));
    return set;
  });
  byId('choices').replaceChildren(...sets);
  filterChoices();
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function newChoice(resource) {
  const label = document.createElement('label');
  label.title = `${resource.kind} · ${resource.namespaced ? 'namespaced' : 'cluster'}`;
  const box = label.appendChild(document.createElement('input'));
  box.type = 'checkbox';
  box.value = resource.id;
  box.dataset.testid = 'choice';
  label.append(resource.resource);
  return label;
}

function filterChoices() {
  const filter = byId('resource-filter').value.trim().toLowerCase();
  for (const set of byId('choices').children) {
    let shown = 0;
    for (const label of set.querySelectorAll('label')) {
      const box = label.querySelector('input');
      label.hidden = filter !== '' && !box.checked && !box.value.includes(filter);
      shown += label.hidden ? 0 : 1;
    }
    set.hidden = shown === 0;
  }
}

async function loadChoices() {
  try {
    known = await discover();
  } catch (error) {
    byId('object-empty').textContent = `Discovery failed: ${error.message}`;
    setTimeout(() => known.length === 0 && loadChoices(), DISCOVERY_RETRY_MS);
    return;
  }
  drawChoices();
  applyChoice();
  getJson('/version').then((v) => (byId('version').textContent = v.gitVersion ?? ''), () => {});
}

async function loadNamespaces() {
  const list = await getJson('/api/v1/namespaces').catch(() => ({ items: [] }));
  const options = (list.items ?? []).map((item) => {
    const option = document.createElement('option');
    option.value = item.metadata.name;
    return option;
  });
  byId('namespaces').replaceChildren(...options);
}

let typing = 0;
function afterTyping(action) {
  clearTimeout(typing);
  typing = setTimeout(action, TYPING_MS);
}

byId('choices').addEventListener('change', writeChoice);
byId('namespace').addEventListener('focus', loadNamespaces);
byId('namespace').addEventListener('input', () => afterTyping(writeChoice));
byId('selector').addEventListener('input', () => afterTyping(writeChoice));
byId('resource-filter').addEventListener('input', filterChoices);
byId('object-filter').addEventListener('input', (event) => table.setFilter(event.target.value));
byId('rediscover').addEventListener('click', loadChoices);
byId('choose-none').addEventListener('click', () => {
  document.querySelectorAll('#choices input').forEach((box) => (box.checked = false));
  writeChoice();
});
addEventListener('hashchange', applyChoice);
addEventListener('online', () => stream.retryNow());
document.addEventListener('visibilitychange', () => document.hidden || stream.retryNow());
setInterval(showState, 1_000);

rings.start();
loadChoices();
