// What pages about notes share: cards, the axis of validity, the graph of links, forgetting.
import { element, drawing, show } from './dom.js';
import { post } from './api.js';
import { words, when, day, oneLine, plural, shortId } from './format.js';
import { badge, confirmed, recordLink } from './parts.js';

export const entityHref = (name) => `#/memory/entity/${encodeURIComponent(name)}`;

export function noteCard(note) {
  return element('a', { class: 'card note', href: `#/memory/note/${note.id}` },
    element('span', { class: 'row' }, element('strong', {}, note.entity), badge(note.type), note.retired_at && badge('retired', 'is-suspended'), note.conflicts_with.length > 0 && badge('in conflict', 'is-failed'), element('span', { class: 'side quiet' }, when(note.recorded_at))),
    element('span', { class: 'said' }, note.content));
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const starts = (note) => Date.parse(note.valid.from ?? note.recorded_at);
const ends = (note, now) => Math.min(now, ...[note.valid.until, note.retired_at].filter(Boolean).map((time) => Date.parse(time)));

/** When each note holds and is believed, one bar a note. */
export function validityAxis(notes) {
  const now = Date.now();
  const sorted = [...notes].sort((one, other) => starts(one) - starts(other));
  const first = Math.min(...sorted.map(starts));
  const from = first - (now - first) * 0.02 - 1000;
  const until = now + (now - from) * 0.03;
  const left = 8;
  const width = 980;
  const line = 34;
  const height = sorted.length * line + 30;
  const x = (time) => left + ((time - from) / (until - from)) * (width - 2 * left);
  return drawing('svg', { class: 'chart broad', viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `Validity of ${plural(notes.length, 'note')} over time` },
    drawing('line', { class: 'now', x1: x(now), x2: x(now), y1: 0, y2: height - 22 }),
    sorted.map((note, index) => {
      const y = index * line + 8;
      const end = Math.max(ends(note, now), starts(note));
      const fits = Math.max(24, Math.floor((width - x(starts(note))) / 6.6));
      const late = x(starts(note)) > width * 0.55;
      return drawing('a', { href: `#/memory/note/${note.id}`, 'aria-label': note.content },
        drawing('rect', { class: note.retired_at ? 'retired' : 'believed', x: x(starts(note)), y: y + 14, width: Math.max(4, x(end) - x(starts(note))), height: 8, rx: 4 }, drawing('title', {}, `${note.content} (${day(starts(note))} to ${note.retired_at || note.valid.until ? day(end) : 'now'})`)),
        drawing('text', { class: note.retired_at ? '' : 'strong', x: late ? width - left : x(starts(note)), y: y + 9, 'text-anchor': late ? 'end' : 'start' }, cut(oneLine(note.content), late ? 90 : fits)));
    }),
    drawing('text', { x: left, y: height - 5 }, day(first)), drawing('text', { x: width - left, y: height - 5, 'text-anchor': 'end' }, 'now'));
}

/** Who took whose place, and who cannot be true with whom. */
export function linkGraph(notes) {
  const known = new Map(notes.map((note) => [note.id, note]));
  const linked = notes.filter((note) => note.superseded_by || note.supersedes.length || note.conflicts_with.length);
  if (linked.length === 0) return null;
  const level = (note, seen = new Set()) => (seen.has(note.id) ? 0 : Math.max(0, ...note.supersedes.filter((id) => known.has(id)).map((id) => 1 + level(known.get(id), new Set([...seen, note.id])))));
  const columns = new Map();
  const places = new Map();
  for (const note of linked.sort((one, other) => starts(one) - starts(other))) {
    const column = level(note);
    const rows = columns.get(column) ?? 0;
    columns.set(column, rows + 1);
    places.set(note.id, { x: 10 + column * 250, y: 12 + rows * 74 });
  }
  const width = Math.max(980, (Math.max(...columns.keys()) + 1) * 250 + 10);
  const height = Math.max(...columns.values()) * 74 + 12;
  const centre = (id) => ({ x: places.get(id).x + 105, y: places.get(id).y + 25 });
  const lines = [];
  for (const note of linked) {
    for (const old of note.supersedes.filter((id) => places.has(id))) {
      const from = { x: places.get(old).x + 210, y: centre(old).y };
      const to = { x: places.get(note.id).x, y: centre(note.id).y };
      lines.push(drawing('path', { class: 'link', d: `M${from.x} ${from.y} C${from.x + 24} ${from.y} ${to.x - 24} ${to.y} ${to.x} ${to.y}`, 'marker-end': 'url(#arrow)' }));
    }
    for (const other of note.conflicts_with.filter((id) => places.has(id) && id > note.id)) {
      const [one, two] = [centre(note.id), centre(other)];
      lines.push(drawing('path', { class: 'against', d: `M${one.x} ${one.y} L${two.x} ${two.y}` }, drawing('title', {}, 'cannot both be true')));
    }
  }
  return drawing('svg', { class: 'chart broad', viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': 'Which note took the place of which, and which are in conflict' },
    drawing('defs', {}, drawing('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' }, drawing('path', { d: 'M0 0L8 4L0 8z', class: 'f6' }))),
    lines,
    linked.map((note) => {
      const { x, y } = places.get(note.id);
      const text = oneLine(note.content);
      const space = text.lastIndexOf(' ', 31);
      const half = text.length <= 31 ? text.length : space > 0 ? space : 31;
      return drawing('a', { href: `#/memory/note/${note.id}`, 'aria-label': note.content }, drawing('title', {}, note.content),
        drawing('rect', { class: `box ${note.retired_at ? '' : 'live'}`, x, y, width: 210, height: 50, rx: 6 }),
        drawing('text', { class: note.retired_at ? '' : 'strong', x: x + 10, y: y + 20 }, text.slice(0, half)), drawing('text', { class: note.retired_at ? '' : 'strong', x: x + 10, y: y + 37 }, cut(text.slice(half).trim(), 31)));
    }));
}

/** Shows what would go, asks, and lets it go. */
export async function forget(what, label, done) {
  const preview = await post('/forget', { ...what, dry_run: true });
  const reason = element('input', { name: 'reason', placeholder: 'for the audit log' });
  const kinds = Map.groupBy(preview.records, (record) => record.type);
  const yes = await confirmed({
    title: `Forget ${label}?`,
    action: `Forget ${plural(preview.records.length, 'record')} for good`,
    body: element('div', { class: 'stack' },
      element('p', {}, 'This removes, with what quotes it:'),
      element('ul', {}, [...kinds].map(([kind, records]) => element('li', {}, `${plural(records.length, words(kind))}: `, records.slice(0, 6).map((record, index) => [index > 0 && ', ', recordLink(kind, record.id, shortId(record.id))]), records.length > 6 && ', …'))),
      !preview.complete && element('p', {}, 'There is more than one commit removes; ask again afterwards.'),
      element('label', {}, 'Why', reason)),
  });
  if (!yes) return;
  await post('/forget', { ...what, reason: reason.value });
  done();
}
