// The table of objects: rows are kept and changed in place, so that a reader's eye and selection stay where they are.

const FLUSH_MS = 80;
/** Rows in the page at most; with more objects the filter narrows. */
const MAX_ROWS = 1_000;
const GONE_MS = 1_500;
const HIGHLIGHT_MS = 1_400;

export function timeOf(millis) {
  const date = new Date(millis);
  const two = (n) => String(n).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function order(a, b) {
  const by = (x, y) => (x < y ? -1 : x > y ? 1 : 0);
  return by(a.resource.id, b.resource.id) || by(a.namespace, b.namespace) || by(a.name, b.name);
}

export class ObjectTable {
  #store;
  #body;
  #empty;
  #count;
  #rows = new Map();
  #touched = new Map();
  #timer = 0;
  #filter = '';
  #emptyText = '';

  constructor(store, { body, empty, count, onOpen }) {
    this.#store = store;
    this.#body = body;
    this.#empty = empty;
    this.#count = count;
    body.addEventListener('click', (event) => {
      const row = event.target.closest('tr');
      if (row && !row.dataset.gone && String(getSelection()) === '') onOpen(row.dataset.key);
    });
  }

  setFilter(text) {
    this.#filter = text.trim().toLowerCase();
    this.refresh();
  }

  /** What stands in an empty table. */
  setEmptyText(text) {
    this.#emptyText = text;
    this.refresh();
  }

  /** Marks an entry as changed; entries of one moment are drawn together. */
  touch(entry) {
    this.#touched.set(entry.key, entry);
    this.refresh();
  }

  refresh() {
    // A timer, not an animation frame: a page in a background tab has no frames, but should be up to date.
    if (this.#timer === 0) this.#timer = setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush() {
    this.#timer = 0;
    const touched = this.#touched;
    this.#touched = new Map();
    const matching = this.#matching();
    const visible = matching.slice(0, MAX_ROWS);
    const wanted = new Set(visible.map((entry) => entry.key));
    for (const [key, row] of this.#rows) if (!wanted.has(key)) this.#remove(key, row, touched.get(key));
    this.#place(visible, touched);
    this.#describe(visible.length, matching.length);
  }

  #matching() {
    const all = [...this.#store.values()];
    const filter = this.#filter;
    return (filter === '' ? all : all.filter((e) => e.key.toLowerCase().includes(filter))).sort(order);
  }

  #place(visible, touched) {
    let next = this.#body.firstElementChild;
    for (const entry of visible) {
      let row = this.#rows.get(entry.key);
      const fresh = row === undefined;
      if (fresh) {
        row = newRow(entry);
        this.#rows.set(entry.key, row);
      }
      if (fresh || row.dataset.rv !== entry.rv || touched.has(entry.key)) fill(row, entry);
      while (next?.dataset.gone) next = next.nextElementSibling;
      if (next === row) next = next.nextElementSibling;
      else this.#body.insertBefore(row, next);
      if (touched.has(entry.key) && touched.get(entry.key).highlight) highlight(row, entry.type);
    }
  }

  #remove(key, row, entry) {
    this.#rows.delete(key);
    if (entry?.type !== 'DELETED') {
      row.remove();
      return;
    }
    row.dataset.gone = 'true';
    delete row.dataset.key;
    fill(row, entry);
    highlight(row, 'DELETED');
    setTimeout(() => row.remove(), GONE_MS);
  }

  #describe(shown, matching) {
    const held = this.#store.size;
    const parts = [`${held}`];
    if (matching !== held) parts.push(`${matching} match`);
    if (shown !== matching) parts.push(`first ${shown} shown`);
    this.#count.textContent = parts.join(' · ');
    this.#empty.textContent = matching > 0 ? '' : held > 0 ? 'No object matches the filter.' : this.#emptyText;
  }
}

function newRow(entry) {
  const row = document.createElement('tr');
  row.dataset.key = entry.key;
  for (const name of ['resource', 'namespace', 'name', 'rv', 'changes', 'at']) {
    const cell = row.appendChild(document.createElement('td'));
    cell.className = name === 'rv' || name === 'changes' ? `${name} num` : name;
  }
  const open = row.cells[2].appendChild(document.createElement('button'));
  open.type = 'button';
  open.className = 'link';
  open.textContent = entry.name;
  open.title = 'Show its JSON';
  row.cells[0].textContent = entry.resource.id;
  row.cells[0].title = `${entry.resource.kind} · ${entry.resource.apiVersion}`;
  row.cells[1].textContent = entry.namespace;
  return row;
}

function fill(row, entry) {
  row.dataset.rv = entry.rv;
  row.cells[3].textContent = entry.rv;
  row.cells[4].textContent = entry.changes;
  const type = document.createElement('span');
  type.className = 'type';
  type.dataset.type = entry.type;
  type.textContent = entry.type;
  row.cells[5].replaceChildren(type, ` ${timeOf(entry.at)}`);
}

function highlight(row, type) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const color = `var(--hit-${type.toLowerCase()})`;
  const easing = still ? 'steps(1, end)' : 'ease-out';
  row.animate([{ backgroundColor: color }, { backgroundColor: 'transparent' }], { duration: HIGHLIGHT_MS, easing });
}
