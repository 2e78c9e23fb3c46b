// One EventSource over all chosen resources, and what EventSource leaves to its user: reopening after it gave up,
// and knowing from which position a stream may be resumed.
//
//   idle ──start──▶ connecting ──open──▶ live ──error──▶ reconnecting ──open──▶ live
//
// A position is only good to resume from once every resource has ended its initial events: before that, a resumed
// stream would leave out what had not been sent yet. So a break before that point opens a fresh stream.

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** A stream that was open for this long was a good one: the next failure starts again with the first delay. */
const STEADY_MS = 5_000;
const PROBE_TIMEOUT_MS = 3_000;
const TYPES = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'];

export class WatchStream {
  #source = null;
  #resources = [];
  #synced = new Set();
  #lastEventId = '';
  #attempts = 0;
  #openedAt = 0;
  #wasLive = false;
  #timer = 0;
  #handlers;

  /**
   * handlers: onState({state, reason, retryAt}), onInitial(resource) when a resource's objects are about to be sent
   * anew, onInitialEnd(resource), onEvent(type, resource, object, data), onPosition(resource, revision),
   * onStatus(resource or null, status).
   */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  /** Leaves the present stream and opens one over these resources (each with id, apiVersion, kind, path). */
  start(resources) {
    this.stop();
    this.#resources = resources;
    this.#wasLive = false;
    if (resources.length > 0) this.#open();
  }

  stop() {
    this.#close();
    this.#lastEventId = '';
    this.#synced.clear();
    this.#attempts = 0;
    this.#handlers.onState({ state: 'idle' });
  }

  /** Cuts a pending wait short, for when there is reason to think that the server can be reached again. */
  retryNow() {
    if (this.#timer !== 0) this.#open();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#source?.close();
    this.#source = null;
  }

  #resumable() {
    return this.#lastEventId !== '' && this.#resources.every((r) => this.#synced.has(r.id));
  }

  #url() {
    const parameters = this.#resources.map((r) => `resource=${encodeURIComponent(r.path)}`);
    if (this.#resumable()) parameters.push(`lastEventId=${encodeURIComponent(this.#lastEventId)}`);
    return `/watch?${parameters.join('&')}`;
  }

  #open() {
    this.#close();
    const url = this.#url();
    if (!this.#resumable()) {
      this.#lastEventId = '';
      this.#resources.forEach((r) => this.#beginInitial(r));
    }
    this.#say(null);
    const source = new EventSource(url);
    this.#source = source;
    source.addEventListener('open', () => this.#opened());
    source.addEventListener('error', () => this.#failed(source, url));
    TYPES.forEach((type) => source.addEventListener(type, (event) => this.#receive(type, event)));
  }

  #say(reason, retryAt) {
    this.#handlers.onState({ state: this.#wasLive ? 'reconnecting' : 'connecting', reason, retryAt });
  }

  #opened() {
    this.#wasLive = true;
    this.#openedAt = Date.now();
    this.#handlers.onState({ state: 'live' });
  }

  #failed(source, url) {
    if (source !== this.#source) return;
    if (this.#openedAt !== 0 && Date.now() - this.#openedAt > STEADY_MS) this.#attempts = 0;
    this.#openedAt = 0;
    if (source.readyState !== EventSource.CLOSED && this.#resumable()) {
      this.#say('connection lost');
      return;
    }
    const gaveUp = source.readyState === EventSource.CLOSED;
    this.#reopenLater();
    if (gaveUp) this.#probe(url);
  }

  #reopenLater() {
    this.#close();
    const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#attempts) * (0.75 + Math.random() / 2);
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#open(), delay);
    this.#say('connection lost', Date.now() + delay);
  }

  /** EventSource does not tell why it gave up; asking once more does. */
  async #probe(url) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PROBE_TIMEOUT_MS);
    try {
      const answer = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal: abort.signal });
      if (answer.ok) return;
      const status = await answer.json().catch(() => ({}));
      if (this.#timer !== 0) this.#say(status.message || `the server answered ${answer.status}`);
    } catch {
      // The server is not there: "connection lost" is all there is to say.
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  }

  #receive(type, event) {
    if (event.lastEventId !== '') this.#lastEventId = event.lastEventId;
    const object = JSON.parse(event.data);
    if (type === 'ERROR') {
      this.#receiveStatus(object);
      return;
    }
    const resource = this.#resourceOf(object);
    if (type === 'BOOKMARK') {
      const ends = object.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
      // A bookmark that does not say what it is about is about all.
      if (ends) (resource ? [resource] : this.#resources).forEach((r) => this.#endInitial(r));
    }
    if (resource) this.#handlers.onEvent(type, resource, object, event.data);
    this.#tellPositions(resource, event.lastEventId, object);
  }

  #receiveStatus(status) {
    const { group = '', kind } = status.details ?? {};
    const resource = this.#resources.find((r) => r.group === group && r.resource === kind) ?? null;
    this.#handlers.onStatus(resource, status);
    if (status.code !== 410) return;
    (resource ? [resource] : this.#resources).forEach((r) => this.#beginInitial(r));
  }

  #beginInitial(resource) {
    this.#synced.delete(resource.id);
    this.#handlers.onInitial(resource);
  }

  #endInitial(resource) {
    this.#synced.add(resource.id);
    this.#handlers.onInitialEnd(resource);
  }

  #resourceOf(object) {
    const found = this.#resources.find((r) => r.kind === object.kind && r.apiVersion === object.apiVersion);
    return found ?? (this.#resources.length === 1 ? this.#resources[0] : null);
  }

  #tellPositions(resource, id, object) {
    const positions = id.split(',');
    if (id !== '' && positions.length === this.#resources.length) {
      this.#resources.forEach((r, i) => this.#handlers.onPosition(r, positions[i]));
    } else if (resource && object.metadata?.resourceVersion) {
      this.#handlers.onPosition(resource, object.metadata.resourceVersion);
    }
  }
}
