// One object's JSON in a dialog, kept up to date while it is open.

export class Detail {
  #dialog;
  #title;
  #rv;
  #json;
  #key = null;

  constructor({ dialog, title, rv, json, copy, close }) {
    this.#dialog = dialog;
    this.#title = title;
    this.#rv = rv;
    this.#json = json;
    close.addEventListener('click', () => dialog.close());
    copy.addEventListener('click', () => this.#copy(copy));
    dialog.addEventListener('close', () => (this.#key = null));
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  }

  open(entry) {
    this.#key = entry.key;
    this.show(entry);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** Draws the entry if it is the one that is open. */
  show(entry) {
    if (entry.key !== this.#key) return;
    this.#title.textContent = entry.key;
    this.#rv.textContent = entry.type === 'DELETED' ? `deleted at ${entry.rv}` : `resourceVersion ${entry.rv}`;
    this.#json.textContent = JSON.stringify(JSON.parse(entry.data), null, 2);
  }

  async #copy(button) {
    // The clipboard is only there on localhost and https; elsewhere a selection is the next best thing.
    try {
      await navigator.clipboard.writeText(this.#json.textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1_200);
    } catch {
      getSelection().selectAllChildren(this.#json);
    }
  }
}
