// All that was ever believed about one thing.
import { element, show, afterPause } from './dom.js';
import { get } from './api.js';
import { whileOpen } from './live.js';
import { plural } from './format.js';
import { heading, empty, loading, panel, curl } from './parts.js';
import { noteCard, validityAxis, linkGraph, forget } from './notes.js';

const PAUSE = 250;

export async function entityPage(view, { name }, signal) {
  show(view, loading(name));
  const read = async () => {
    const { items, next } = await get('/notes', { entity: name, believed: false, limit: 100 }, signal);
    if (items.length === 0) {
      show(view, heading(name), empty(`Nothing is known about ${name}`, 'Either it was never written or it was forgotten.', curl('/remember', { text: `A fact about ${name}`, about: name })));
      return;
    }
    const graph = linkGraph(items);
    const believed = items.filter((note) => !note.retired_at);
    show(view,
      heading(name, element('span', { class: 'quiet' }, `${next ? 'the newest ' : ''}${plural(items.length, 'note')}, ${believed.length} believed`),
        element('span', { class: 'side' }, element('button', { type: 'button', onclick: () => forget({ about: name }, `everything about ${name}`, () => { location.hash = '#/memory'; }) }, 'Forget all…')),
        element('div', { class: 'crumbs' }, element('a', { href: '#/memory' }, 'Memory'))),
      panel('When each holds', {}, validityAxis(items)),
      graph && panel('What took whose place, and what is in conflict', {}, graph),
      element('div', { class: 'stack' }, items.map(noteCard)));
  };
  await read();
  whileOpen(signal, ['note'], afterPause(PAUSE, () => read().catch(() => {})));
}
