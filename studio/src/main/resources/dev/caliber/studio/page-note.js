// One note: what it says, since when, from where, and what is near it.
import { element, show } from './dom.js';
import { get, post } from './api.js';
import { moment, words, score, percent } from './format.js';
import { heading, badge, facts, loading, panel, recordLink } from './parts.js';
import { forget, entityHref, linkGraph } from './notes.js';

const NEAR = 0.5;
const SHOWN = 6;

export async function notePage(view, { id }, signal) {
  show(view, loading('the note'));
  const [note, history] = await Promise.all([get(`/notes/${id}`, {}, signal), get(`/notes/${id}/history`, {}, signal)]);
  const near = element('div', { class: 'stack' }, loading('what is near'));
  const graph = element('div');
  show(view,
    heading(note.content, badge(note.type), note.retired_at && badge('retired', 'is-suspended'),
      element('span', { class: 'side' }, element('button', { type: 'button', onclick: () => forget({ id: note.id }, 'this note', () => { location.hash = entityHref(note.entity); }) }, 'Forget…')),
      element('div', { class: 'crumbs' }, element('a', { href: '#/memory' }, 'Memory'), element('a', { href: entityHref(note.entity) }, note.entity))),
    element('div', { class: 'grid two' },
      panel('What is known of it', {}, facts({
        about: `${note.entity} (${note.entity_type})`, confidence: percent(note.confidence, 1), 'holds from': note.valid.from && moment(note.valid.from), 'holds until': note.valid.until && moment(note.valid.until),
        'believed since': moment(note.recorded_at), 'retired at': note.retired_at && moment(note.retired_at), version: note.version, subject: note.labels.subject,
        'learned in': note.sources.length > 0 && note.sources.map((source, index) => [index > 0 && ', ', recordLink('trajectory', source)]),
        'in conflict with': note.conflicts_with.length > 0 && note.conflicts_with.map((other, index) => [index > 0 && ', ', recordLink('note', other)]),
        'took the place of': note.supersedes.length > 0 && note.supersedes.map((other, index) => [index > 0 && ', ', recordLink('note', other)]),
        'replaced by': note.superseded_by && recordLink('note', note.superseded_by), id: element('code', {}, note.id) })),
      panel('Near duplicates', {}, near),
      panel('Earlier versions', {}, history.items.length === 0 ? element('p', { class: 'quiet' }, 'It was never changed.') : element('ol', { class: 'lines' }, history.items.map((past) => element('li', {}, element('span', { class: 'wrap' }, past.note.content), element('span', { class: 'end' }, `until ${moment(past.until)}`)))))),
    panel('Links', {}, graph));
  const others = await get('/notes', { entity: note.entity, believed: false, limit: 100 }, signal);
  show(graph, linkGraph(others.items) ?? element('p', { class: 'quiet' }, 'Nothing took its place, and nothing is in conflict with it.'));
  const found = await post('/search', { query: note.content, tables: ['note'], limit: SHOWN + 1 }, signal);
  const hits = found.hits.filter((hit) => hit.key !== note.id && (hit.similarity ?? 0) >= NEAR).slice(0, SHOWN);
  const notes = await Promise.all(hits.map((hit) => get(`/notes/${hit.key}`, {}, signal).catch(() => null)));
  show(near, hits.length === 0
    ? element('p', { class: 'quiet' }, `No other ${words(note.type)} says nearly the same.`)
    : element('ul', { class: 'lines' }, hits.map((hit, index) => notes[index] && element('li', {}, element('a', { class: 'wrap', href: `#/memory/note/${hit.key}` }, notes[index].content), element('span', { class: 'end number' }, score(hit.similarity))))));
}
