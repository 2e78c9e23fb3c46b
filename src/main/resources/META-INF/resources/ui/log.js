// The last events, newest first.

import { timeOf } from './table.js';

const MAX_EVENTS = 200;
const FLUSH_MS = 80;

export class EventLog {
  #list;
  #count;
  #waiting = [];
  #total = 0;
  #timer = 0;

  constructor({ list, count, clear }) {
    this.#list = list;
    this.#count = count;
    clear.addEventListener('click', () => this.#clear());
  }

  /** line: {type, resource (may be null), name, rv, text}; name is `namespace/name`, text stands in its place where it is none. */
  add(line) {
    this.#total += 1;
    this.#waiting.push({ ...line, at: Date.now() });
    if (this.#waiting.length > MAX_EVENTS) this.#waiting.shift();
    if (this.#timer === 0) this.#timer = setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush() {
    this.#timer = 0;
    const fresh = this.#waiting.reverse().map(newLine);
    this.#waiting = [];
    this.#list.prepend(...fresh);
    while (this.#list.childElementCount > MAX_EVENTS) this.#list.lastElementChild.remove();
    this.#count.textContent = this.#total > MAX_EVENTS ? `last ${MAX_EVENTS} of ${this.#total}` : `${this.#total}`;
  }

  #clear() {
    this.#waiting = [];
    this.#total = 0;
    this.#list.replaceChildren();
    this.#count.textContent = '';
  }
}

function newLine({ at, type, resource, name, rv, text }) {
  const line = document.createElement('li');
  line.dataset.type = type;
  if (resource && name) line.dataset.key = `${resource.id}/${name}`;
  if (rv) line.dataset.rv = rv;
  const cells = [
    ['time', timeOf(at)],
    ['type', type],
    ['rv', rv ?? ''],
    ['what', text ?? `${resource?.kind ?? ''} ${name ?? ''}`.trim()],
  ];
  for (const [className, content] of cells) {
    const cell = line.appendChild(document.createElement('span'));
    cell.className = className;
    cell.textContent = content;
    if (className === 'type') cell.dataset.type = type;
    if (className === 'what') cell.title = content;
  }
  return line;
}
