// Commits as they happen. Goes on after the last one it has seen, however long the server was away.
import { ask, decodedChunks } from './api.js';

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

/** Events: `commit` (a commit), `state` (connected, reconnecting, closed), `again` (a gap: read anew). */
export class Live extends EventTarget {
  #last = null;
  #stop = null;
  #been = false;
  state = 'reconnecting';

  start() {
    this.stop();
    this.#stop = new AbortController();
    this.#run(this.#stop.signal);
  }

  /** Forgets the place as well: another space has another feed. */
  restart() {
    this.#last = null;
    this.#been = false;
    this.start();
  }

  stop() {
    this.#stop?.abort();
  }

  async #run(signal) {
    let pause = FIRST_PAUSE;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => { pause = FIRST_PAUSE; });
      } catch (failure) {
        if (signal.aborted) return;
        if (failure.needsLogin) { this.#tell('closed'); return; }
        if (failure.code === 'CALIBER_STORAGE_FEED_TRUNCATED') { this.#last = null; this.dispatchEvent(new Event('again')); }
      }
      if (signal.aborted) return;
      this.#tell('reconnecting');
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(LONGEST_PAUSE, pause * 2);
    }
  }

  async #follow(signal, opened) {
    const answer = await ask('/events', { signal, headers: this.#last ? { 'Last-Event-ID': this.#last } : {} });
    opened();
    this.#tell('connected');
    if (this.#been) this.dispatchEvent(new Event('again')); // what came meanwhile may be more than the feed keeps
    this.#been = true;
    let rest = '';
    for await (const chunk of decodedChunks(answer)) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop();
      blocks.forEach((block) => this.#take(block));
    }
  }

  #take(block) {
    const event = { id: '', event: 'message', data: '' };
    for (const line of block.split('\n')) {
      const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      if (name) event[name] = value;
    }
    if (event.event === 'problem') {
      const problem = JSON.parse(event.data);
      throw Object.assign(new Error(problem.detail), { code: problem.code });
    }
    if (event.event === 'commit') {
      this.#last = event.id;
      this.dispatchEvent(new CustomEvent('commit', { detail: JSON.parse(event.data) }));
    }
  }

  #tell(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: state }));
  }
}

export const live = new Live();

/** Calls while a page is open: with each commit that touches one of these tables, and after a gap. */
export function whileOpen(signal, tables, call) {
  const wanted = new Set(tables);
  live.addEventListener('commit', (event) => {
    const changes = event.detail.changes.filter((change) => wanted.size === 0 || wanted.has(change.table));
    if (changes.length) call(changes, event.detail);
  }, { signal });
  live.addEventListener('again', () => call([], null), { signal });
}
