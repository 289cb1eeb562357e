// A list of any length of which only what can be seen is on the page. All rows have one height.
import { element } from './dom.js';

const SPARE = 8;

export class LongList {
  #items = [];
  #rows = new Map();
  #drawn = 0;
  #height;
  #draw;
  #chosen = -1;
  #choose;

  /** `draw(item, index)` makes a row, `choose(item, index)` is told what was chosen. */
  constructor({ label, height, draw, choose }) {
    this.#height = height;
    this.#draw = draw;
    this.#choose = choose;
    this.space = element('div', { class: 'long-space', role: 'list', 'aria-label': label });
    this.node = element('div', { class: 'long-list', tabindex: '0', role: 'region', 'aria-label': label, onscroll: () => this.#plan(), onkeydown: (event) => this.#key(event) }, this.space);
    new ResizeObserver(() => this.#plan()).observe(this.node);
  }

  get items() { return this.#items; }

  get chosen() { return this.#chosen; }

  set(items) {
    this.#items = items;
    this.#rows.forEach((row) => row.remove());
    this.#rows.clear();
    if (this.#chosen >= items.length) this.#chosen = -1;
    this.#size();
  }

  add(more) {
    this.#items.push(...more);
    this.#size();
  }

  #size() {
    this.space.style.height = `${this.#items.length * this.#height}px`;
    this.#plan();
  }

  #plan() {
    if (this.#drawn) return;
    this.#drawn = requestAnimationFrame(() => { this.#drawn = 0; this.#render(); });
  }

  #render() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.#height) - SPARE);
    const last = Math.min(this.#items.length, Math.ceil((this.node.scrollTop + this.node.clientHeight) / this.#height) + SPARE);
    for (const [index, row] of this.#rows) {
      if (index < first || index >= last) { row.remove(); this.#rows.delete(index); }
    }
    for (let index = first; index < last; index++) {
      if (!this.#rows.has(index)) this.#place(index);
    }
  }

  #place(index) {
    const row = element('div', { class: 'long-row', role: 'listitem', 'aria-setsize': this.#items.length, 'aria-posinset': index + 1 }, this.#draw(this.#items[index], index));
    row.style.transform = `translateY(${index * this.#height}px)`;
    row.style.height = `${this.#height}px`;
    row.classList.toggle('chosen', index === this.#chosen);
    if (this.#choose) row.addEventListener('click', () => this.choose(index));
    this.#rows.set(index, row);
    this.space.append(row);
  }

  /** Draws one row anew. */
  refresh(index) {
    if (!this.#rows.has(index)) return;
    this.#rows.get(index).remove();
    this.#rows.delete(index);
    this.#plan();
  }

  choose(index, tell = true) {
    if (index < 0 || index >= this.#items.length) return;
    this.#rows.get(this.#chosen)?.classList.remove('chosen');
    this.#chosen = index;
    this.#rows.get(index)?.classList.add('chosen');
    this.#reveal(index);
    if (tell) this.#choose?.(this.#items[index], index);
  }

  move(by) {
    this.choose(Math.min(this.#items.length - 1, Math.max(0, this.#chosen + by)), Boolean(this.#choose));
  }

  /** Follows the link of the chosen row, if it has one. */
  open() {
    this.#rows.get(this.#chosen)?.querySelector('a')?.click();
  }

  #reveal(index) {
    const top = index * this.#height;
    const view = this.node;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (top + this.#height > view.scrollTop + view.clientHeight) view.scrollTop = top + this.#height - view.clientHeight;
  }

  #key(event) {
    const moves = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.key in moves) {
      event.preventDefault();
      event.stopPropagation();
      this.move(moves[event.key]);
    } else if (event.key === 'Enter' && event.target === this.node) {
      this.open();
    }
  }
}
