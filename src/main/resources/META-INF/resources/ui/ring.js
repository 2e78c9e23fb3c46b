// Where this page stands in the server's watch cache windows, from the readiness checks' data.

import { resourceId } from './discovery.js';

const POLL_MS = 3_000;
const TIMEOUT_MS = 2_500;
const PREFIX = 'watch-cache/';

export class Rings {
  #list;
  #note;
  #onHealth;
  #resources = [];
  #seen = new Map();
  #caches = new Map();
  #rows = new Map();

  /** onHealth gets {status: UP, DOWN or unreachable, down: names of the checks that are down}. */
  constructor({ list, note, onHealth }) {
    this.#list = list;
    this.#note = note;
    this.#onHealth = onHealth;
  }

  start() {
    const next = async () => {
      if (!document.hidden) await this.#poll();
      setTimeout(next, POLL_MS);
    };
    next();
    document.addEventListener('visibilitychange', () => document.hidden || this.#poll());
  }

  choose(resources) {
    this.#resources = resources;
    this.#seen.clear();
    this.#rows.clear();
    this.#list.replaceChildren(...resources.map((r) => this.#newRow(r)));
    resources.forEach((r) => this.#draw(r));
  }

  /** The page has seen everything of this resource up to the revision. */
  seen(resource, revision) {
    if (!/^\d+$/.test(revision) || this.#seen.get(resource.id) === revision) return;
    this.#seen.set(resource.id, revision);
    this.#draw(resource);
  }

  async #poll() {
    try {
      const answer = await fetch('/q/health/ready', { signal: AbortSignal.timeout(TIMEOUT_MS), cache: 'no-store' });
      const health = await answer.json();
      const checks = health.checks ?? [];
      this.#caches = new Map(checks.filter((c) => c.name.startsWith(PREFIX)).map((c) => [checkedId(c.name), c]));
      this.#onHealth({ status: health.status, down: checks.filter((c) => c.status !== 'UP').map((c) => c.name) });
      this.#note.textContent = '';
    } catch {
      this.#onHealth({ status: 'unreachable', down: [] });
      this.#note.textContent = this.#caches.size > 0 ? 'as last heard' : '';
    }
    this.#resources.forEach((r) => this.#draw(r));
  }

  #newRow(resource) {
    const row = document.createElement('div');
    row.className = 'ring';
    row.dataset.testid = 'ring';
    row.dataset.resource = resource.id;
    const part = (parent, className) => {
      const element = parent.appendChild(document.createElement('span'));
      element.className = className;
      return element;
    };
    const head = part(row, 'ring-head');
    part(head, 'ring-name').textContent = resource.id;
    const facts = part(head, 'ring-facts');
    const track = part(row, 'track');
    track.setAttribute('role', 'img');
    const behind = part(track, 'behind');
    const mark = part(track, 'here');
    const ends = part(row, 'ring-ends');
    const parts = { row, facts, track, behind, mark };
    for (const name of ['oldest', 'position', 'newest']) parts[name] = part(ends, name);
    this.#rows.set(resource.id, parts);
    return row;
  }

  #draw(resource) {
    const parts = this.#rows.get(resource.id);
    if (!parts) return;
    const seen = this.#seen.get(resource.id);
    const check = this.#caches.get(resource.id);
    const place = placeIn(check?.data, seen);
    const { row } = parts;
    row.dataset.place = place.name;
    setOrDrop(row, 'seen', seen);
    for (const name of ['oldest', 'newest', 'window', 'state']) setOrDrop(row, name, check?.data?.[name]);
    row.classList.toggle('down', check !== undefined && check.status !== 'UP');
    parts.facts.textContent = check ? factsOf(check.data ?? {}) : 'no watch cache reported';
    parts.oldest.textContent = place.oldest ?? '';
    parts.newest.textContent = place.newest ?? '';
    parts.position.textContent = seen ? `here ${seen} · ${place.text}` : 'nothing seen yet';
    parts.mark.hidden = place.share === null;
    parts.mark.style.left = `${(place.share ?? 0) * 100}%`;
    parts.behind.style.left = `${(place.share ?? 1) * 100}%`;
    parts.track.setAttribute(
      'aria-label',
      place.share === null ? 'window unknown' : `window from ${place.oldest} to ${place.newest}, this page at ${seen}, ${place.text}`,
    );
  }
}

function setOrDrop(element, name, value) {
  if (value === undefined || value === null) delete element.dataset[name];
  else element.dataset[name] = value;
}

/** `watch-cache/apps/deployments` → `deployments.apps`; the core group may be empty, left out or called core. */
function checkedId(name) {
  const [resource, ...group] = name.slice(PREFIX.length).split('/').reverse();
  const joined = group.reverse().join('/');
  return resourceId(joined === 'core' ? '' : joined, resource);
}

function factsOf({ state, window, watchers, lagRevisions, lagSeconds }) {
  const parts = [];
  if (state !== undefined) parts.push(String(state).toLowerCase());
  if (window !== undefined) parts.push(`window ${window}`);
  if (watchers !== undefined) parts.push(`${watchers} ${Number(watchers) === 1 ? 'watcher' : 'watchers'}`);
  if (Number(lagRevisions) > 0) parts.push(`lags ${lagRevisions} revisions, ${lagSeconds} s`);
  return parts.join(' · ');
}

/** Where `seen` lies in the window: its share of the way from oldest to newest, and words for it. */
function placeIn(data, seen) {
  if (data?.oldest === undefined || data?.newest === undefined) {
    return { name: 'unknown', share: null, text: 'window unknown' };
  }
  const oldest = BigInt(data.oldest);
  let newest = BigInt(data.newest);
  const ends = () => ({ oldest: String(oldest), newest: String(newest) });
  if (seen === undefined) return { name: 'unknown', share: null, text: '', ...ends() };
  const here = BigInt(seen);
  // The page may be ahead of the last poll: then the cache has moved on as well.
  if (here >= newest) {
    newest = here;
    return { name: 'head', share: 1, text: 'at the head', ...ends() };
  }
  // Resuming after `here` needs the events from here + 1 on.
  if (here < oldest - 1n) return { name: 'fallen-out', share: 0, text: 'older than the window', ...ends() };
  const share = newest > oldest ? Math.max(0, Number(here - oldest) / Number(newest - oldest)) : 1;
  return { name: 'inside', share, text: `${newest - here} behind`, ...ends() };
}
