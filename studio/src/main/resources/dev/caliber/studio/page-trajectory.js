// One task: everything that was said and made, on one line of time.
import { element, drawing, show, afterPause, oneAtATime } from './dom.js';
import { every, get } from './api.js';
import { whileOpen } from './live.js';
import { whole, short, when, moment, words, oneLine, turnText, pretty, decoded, plural, bytes, shortId } from './format.js';
import { heading, badge, facts, choices, recordLink, failure, loading } from './parts.js';
import { LongList } from './list.js';

const HEIGHT = 58;
const PAUSE = 250;
const BARS = 360;
const CHILDREN = 50;
const TRACED = ['note_written', 'policy_executed', 'policy_failed']; // what has no list of its own for a task
const KINDS = [['', 'Everything'], ['turn', 'Turns'], ['tool', 'Tools'], ['artifact', 'Artifacts'], ['note', 'Notes'], ['point', 'Scopes, checkpoints']];

export async function trajectoryPage(view, { id, turn }, signal) {
  view.className = 'full';
  show(view, loading('the trajectory'));
  const state = { id, kind: '', text: '', beats: [], turns: [] };
  const list = new LongList({ label: 'Timeline', height: HEIGHT, draw: beatRow, choose: (beat) => showDetail(detail, beat, go) });
  const detail = element('div', { class: 'detail', tabindex: '0', 'aria-label': 'What was chosen', role: 'region' });
  const map = element('div');
  const head = element('div', { class: 'stack' });
  const go = (source) => {
    const find = () => list.items.findIndex((beat) => beat.record.id === source);
    if (find() < 0) { state.kind = ''; state.text = ''; filter(); }
    if (find() >= 0) { list.choose(find()); list.node.focus(); }
  };
  const passes = (beat) => (!state.kind || kindsOf(beat).includes(state.kind)) && (!state.text || beat.words.toLowerCase().includes(state.text));
  const filter = () => { list.set(state.beats.filter(passes)); show(count, plural(list.items.length, 'entry', 'entries')); };
  const count = element('span', { class: 'quiet', role: 'status' });
  const search = element('input', { type: 'search', placeholder: 'Find in this trajectory  ( / )', 'aria-label': 'Find in this trajectory', oninput: afterPause(PAUSE, (event) => { state.text = event.target.value.toLowerCase(); filter(); }) });

  const read = async () => {
    const task = await get(`/trajectories/${id}`, {}, signal);
    const [turns, scopes, artifacts, checkpoints, children, windows, ...traces] = await Promise.all([
      every(`/trajectories/${id}/turns`, {}, signal), every(`/trajectories/${id}/scopes`, {}, signal), every(`/trajectories/${id}/artifacts`, {}, signal), every(`/trajectories/${id}/checkpoints`, {}, signal),
      get('/trajectories', { parent: id, limit: CHILDREN }, signal), get(`/trajectories/${id}/windows`, { limit: 1 }, signal),
      ...TRACED.map((type) => every('/traces', { trajectory: id, type }, signal)),
    ]);
    const parent = task.parent ? await get(`/trajectories/${task.parent}`, {}, signal).catch(() => null) : null;
    state.turns = turns;
    state.beats = beatsOf({ scopes, artifacts, checkpoints, traces: traces.flat(), turns });
    show(head, headOf(task, parent, children, windows.items, go));
    show(map, mapOf(turns, scopes, (position) => go(turns[position]?.id)));
    filter();
    document.title = `${task.goal} · Caliber Studio`;
  };

  await read();
  show(view, head, map, element('div', { class: 'row' }, search, choices('Kinds', KINDS, '', (kind) => { state.kind = kind; filter(); }), count),
    element('div', { class: 'split' }, element('div', {}, list.node), element('div', {}, detail)));
  if (turn) go(turn);
  else if (list.items.length) list.choose(0);
  else show(detail, element('p', { class: 'quiet' }, 'Nothing was said yet. Turns appear here as they come.'));
  const again = afterPause(PAUSE, oneAtATime(async () => {
    const chosen = list.items[list.chosen]?.record.id;
    const { scrollTop } = list.node;
    await read().catch(() => {});
    list.node.scrollTop = scrollTop;
    const index = list.items.findIndex((beat) => beat.record.id === chosen);
    if (index >= 0) list.choose(index, false);
  }));
  whileOpen(signal, ['trajectory', 'scope', 'turn', 'artifact', 'checkpoint'], again);
}

const kindsOf = (beat) => ({ turn: beat.isTool ? ['turn', 'tool'] : ['turn'], artifact: ['artifact'], note: ['note'], policy: ['point'], scope: ['point'], checkpoint: ['point'] })[beat.kind];

/** Everything by time; turns by their place. */
function beatsOf({ scopes, artifacts, checkpoints, traces, turns }) {
  const beats = [
    ...scopes.map((scope) => ({ kind: 'scope', time: scope.opened_at, rank: 0, words: scopeWords(scope), record: scope })),
    ...turns.map((turn) => ({ kind: 'turn', time: turn.created_at, rank: 1, place: turn.total.turns - 1, words: turnText(turn), isTool: turn.parts.some((part) => part.kind.startsWith('tool')), record: turn })),
    ...artifacts.map((artifact) => ({ kind: 'artifact', time: artifact.created_at, rank: 2, words: decoded(artifact.content).text ?? 'binary content', record: artifact })),
    ...traces.filter((event) => event.type === 'note_written').map((event) => ({ kind: 'note', time: event.time, rank: 3, words: 'Learned, and kept beyond this task', record: event.record })),
    ...traces.filter((event) => event.type.startsWith('policy')).map((event) => ({ kind: 'policy', time: event.time, rank: 3, words: `${words(event.type)} ${event.detail ?? ''}`, record: event })),
    ...checkpoints.map((point) => ({ kind: 'checkpoint', time: point.created_at, rank: 4, words: `A point to return to, after ${plural(point.turns, 'turn')}`, record: point })),
  ];
  return beats.sort((one, other) => Date.parse(one.time) - Date.parse(other.time) || one.rank - other.rank || (one.place ?? 0) - (other.place ?? 0));
}

const scopeWords = (scope) => (scope.summary ? scope.summary.sentences.map((one) => one.text).join(' ') : scope.closed_at ? 'Closed without a summary' : 'Open');

function beatRow(beat) {
  const { kind, record } = beat;
  const role = kind === 'turn' ? words(record.role) : kind;
  const out = record.archived_at || record.rolled_back_at;
  const name = kind === 'turn' ? record.labels.metadata.speaker ?? (beat.isTool && role === 'assistant' ? 'tool call' : role) : kind === 'scope' ? `scope ${record.sequence + 1}` : kind === 'artifact' ? words(record.type) : kind;
  return element('div', { class: `beat ${kind} ${role} ${record.rolled_back_at ? 'out' : ''}`, title: out ? 'No longer in the live set' : null },
    element('span', { class: 'place' }, beat.place === undefined ? '' : whole(beat.place)),
    element('span', { class: `role ${role}` }, name),
    element('span', { class: 'words' }, oneLine(beat.words).slice(0, 260)),
    element('span', { class: 'number', title: 'tokens' }, record.tokens ? short(record.tokens) : ''));
}

function headOf(task, parent, children, windows, go) {
  const link = (other) => element('a', { href: `#/trajectories/${other.id}` }, oneLine(other.goal).slice(0, 60));
  return [
    heading(task.goal, badge(task.status), task.tags.map((tag) => element('span', { class: 'tag' }, tag))),
    element('div', { class: 'crumbs' }, element('a', { href: '#/trajectories' }, 'Trajectories'), element('span', {}, `${plural(task.counters.turns, 'turn')}, ${short(task.counters.tokens_input)} tokens in, ${short(task.counters.tokens_output)} out, touched `, when(task.updated_at)), parent && ['under ', link(parent)],
      children.items.length > 0 && [`${plural(children.items.length, 'child task')}${children.next ? ' or more' : ''}: `, children.items.slice(0, 4).map((child, index) => [index > 0 && ', ', link(child)]), children.items.length > 4 && ` and ${children.items.length - 4} more`],
      task.labels.external_id && ` session ${task.labels.external_id}`, task.labels.subject && ` of ${task.labels.subject}`,
      windows.length ? element('a', { href: `#/windows/${windows[0].id}` }, 'newest window') : element('a', { href: `#/windows?trajectory=${task.id}` }, 'compose a window')),
    task.summary && element('details', {}, element('summary', {}, `Summary (${madeOf(task.summary)})`), sentences(task.summary, go)),
  ];
}

/** How it was made, and of which part of what there was. */
const madeOf = ({ method, extent }) => (extent ? `${method}, of the newest ${extent.newest} of ${extent.all} ${extent.records}` : method);

/** Each sentence leads to what says it. */
const sentences = (summary, go) => element('ul', { class: 'sentences' }, summary.sentences.map((one) =>
  element('li', {}, element('button', { type: 'button', title: `Go to its source ${shortId(one.source)}`, onclick: () => go(one.source) }, one.text))));

function showDetail(detail, beat, go) {
  const { kind, record } = beat;
  detail.scrollTop = 0;
  const make = { turn: turnDetail, scope: scopeDetail, artifact: artifactDetail, checkpoint: checkpointDetail, policy: policyDetail }[kind];
  if (make) { show(detail, element('div', { class: 'stack' }, make(record, go))); return; }
  show(detail, loading('the note'));
  get(`/notes/${record.id}`).then((note) => show(detail, element('div', { class: 'stack' }, element('h2', {}, `Note about ${note.entity}`), element('p', { class: 'said' }, note.content), recordLink('note', note.id, 'Open in memory'))),
    (problem) => show(detail, failure(problem)));
}

function turnDetail(turn) {
  return [
    element('h2', { class: `role ${words(turn.role)}` }, turn.labels.metadata.speaker ?? words(turn.role)),
    turn.parts.map(partOf),
    facts({
      said: moment(turn.created_at), tokens: whole(turn.tokens), model: turn.model, place: `${turn.total.turns - 1} in the task, ${turn.sequence} in its scope`,
      archived: turn.archived_at && `${moment(turn.archived_at)}: a summary stands for it`, 'rolled back': turn.rolled_back_at && moment(turn.rolled_back_at),
      subject: turn.labels.subject, 'external id': turn.labels.external_id, ...labels(turn), id: element('code', {}, turn.id),
    }),
  ];
}

const labels = (record) => Object.fromEntries(Object.entries(record.labels.metadata).map(([name, value]) => [name, String(value)]));

function partOf(part) {
  if (part.kind === 'text') return element('p', { class: 'said' }, part.text);
  if (part.kind === 'tool_call') return element('div', { class: 'stack' }, element('h3', { class: 'role tool' }, `calls ${part.tool}`), element('pre', {}, pretty(part.arguments)), element('p', { class: 'quiet mono' }, part.call));
  if (part.kind === 'tool_result') return element('div', { class: 'stack' }, element('h3', { class: 'role tool' }, part.failed ? 'the tool failed' : 'the tool answered'), element('pre', {}, pretty(part.content)), element('p', { class: 'quiet mono' }, part.call));
  const image = /^image\/(png|jpeg|gif|webp)$/.test(part.media_type);
  return image ? element('img', { src: `data:${part.media_type};base64,${part.content}`, alt: `An image of the turn, ${part.media_type}` }) : element('p', { class: 'quiet' }, `${part.media_type}, ${bytes(decoded(part.content).size)}`);
}

function scopeDetail(scope, go) {
  return [
    element('h2', {}, `Scope ${scope.sequence + 1}`),
    scope.summary && [element('h3', {}, `Summary (${madeOf(scope.summary)}): each sentence leads to its turn`), sentences(scope.summary, go)],
    facts({ opened: moment(scope.opened_at), closed: scope.closed_at && moment(scope.closed_at), turns: scope.end_turn === undefined ? `from ${scope.start_turn}` : `${scope.start_turn} to ${scope.end_turn - 1}`, 'rolled back': scope.rolled_back_at && moment(scope.rolled_back_at), artifacts: scope.artifacts.length || null, id: element('code', {}, scope.id) }),
  ];
}

function artifactDetail(artifact, go) {
  const { text, size } = decoded(artifact.content);
  return [
    element('h2', {}, words(artifact.type)),
    text === null ? element('p', { class: 'quiet' }, `Binary content, ${bytes(size)}`) : element('p', { class: 'said' }, text),
    facts({
      made: moment(artifact.created_at), method: words(artifact.provenance.method), confidence: artifact.provenance.confidence,
      sources: artifact.provenance.sources.length > 0 && artifact.provenance.sources.map((source) => element('button', { type: 'button', class: 'plain', onclick: () => go(source) }, shortId(source))),
      'superseded by': artifact.superseded_by && element('button', { type: 'button', class: 'plain', onclick: () => go(artifact.superseded_by) }, shortId(artifact.superseded_by)),
      expires: artifact.expires_at && moment(artifact.expires_at), size: bytes(size), ...labels(artifact), hash: element('code', {}, artifact.content_hash.slice(0, 16)), id: element('code', {}, artifact.id),
    }),
  ];
}

const checkpointDetail = (point) => [
  element('h2', {}, 'Checkpoint'),
  facts({ saved: moment(point.created_at), after: plural(point.turns, 'turn'), 'last commit': whole(point.sequence), status: words(point.status), recoverable: point.recoverable ? 'yes' : 'no', window: point.window && recordLink('window', point.window), id: element('code', {}, point.id) }),
  element('p', { class: 'quiet' }, 'Returning here takes later turns out of the live set and deletes nothing:'),
  element('pre', { class: 'command', tabindex: '0' }, `./caliber recover ${point.trajectory}`),
];

const policyDetail = (event) => [element('h2', {}, words(event.type)), facts({ happened: moment(event.time), detail: event.detail, took: event.duration_ms !== undefined && `${event.duration_ms} ms`, record: `${words(event.record.type)} ${event.record.id}` })];

/** A bar for each turn, as high as its tokens; many turns share one. */
function mapOf(turns, scopes, go) {
  if (turns.length < 2) return null;
  const width = 1000;
  const height = 44;
  const size = Math.max(1, Math.ceil(turns.length / BARS));
  const groups = [];
  for (let at = 0; at < turns.length; at += size) groups.push(turns.slice(at, at + size));
  const tokens = (group) => Math.max(...group.map((turn) => turn.tokens));
  const most = Math.max(1, ...groups.map(tokens));
  const step = Math.min(width / groups.length, 28);
  return drawing('svg', { class: 'map', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Tokens of ${plural(turns.length, 'turn')} in their order`,
    onclick: (event) => { const box = event.currentTarget.getBoundingClientRect(); go(Math.min(turns.length - 1, Math.floor((((event.clientX - box.left) / box.width) * width) / step) * size)); } },
    scopes.map((scope) => drawing('line', { class: 'cut', x1: (scope.start_turn / size) * step, x2: (scope.start_turn / size) * step, y1: 0, y2: height })),
    groups.map((group, index) => { const tall = Math.max(2, Math.sqrt(tokens(group) / most) * (height - 4)); return drawing('rect', { class: words(group[0].role), x: index * step, y: height - tall, width: Math.max(0.8, step - Math.min(1, step * 0.25)), height: tall }); }));
}
