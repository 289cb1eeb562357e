// Everything that is remembered: by question, by entity, newest first.
import { element, show, afterPause } from './dom.js';
import { get, post } from './api.js';
import { whileOpen } from './live.js';
import { when, words, score, plural, whole } from './format.js';
import { heading, empty, loading, curl, failure, choices, recordLink, badge } from './parts.js';
import { noteCard, entityHref } from './notes.js';
import { channelBars } from './windows.js';

const PAUSE = 250;
const HITS = 20;
const TYPES = [['', 'Everything'], ['NOTE', 'Notes'], ['TURN', 'Turns'], ['ARTIFACT', 'Artifacts']];

export async function memoryPage(view, { q = '', type = '' }, signal) {
  const results = element('div', { class: 'stack' });
  const state = { text: q, type, asked: 0 };
  const ask = async () => {
    const asked = ++state.asked;
    const text = state.text.trim();
    history.replaceState(null, '', `#/memory${text ? `?${new URLSearchParams({ q: text, ...(state.type && { type: state.type }) })}` : ''}`);
    if (!text) { await newest(results, signal); return; }
    show(results, loading('memory'));
    try {
      const began = performance.now();
      const [found, explained] = await Promise.all([
        post('/recall', { query: text, limit: HITS, types: state.type ? [state.type] : undefined }, signal),
        post('/search', { query: text, limit: 100, explain: true, tables: state.type ? [state.type.toLowerCase()] : undefined }, signal)]);
      if (asked === state.asked) show(results, answers(text, found, explained, performance.now() - began));
    } catch (problem) {
      if (asked === state.asked && problem.name !== 'AbortError') show(results, failure(problem, ask));
    }
  };
  const later = afterPause(PAUSE, ask);
  const search = element('input', { type: 'search', value: q, placeholder: 'Ask memory, by words and by meaning  ( / )', 'aria-label': 'Ask memory', oninput: (event) => { state.text = event.target.value; later(); } });
  show(view, heading('Memory'), element('div', { class: 'row' }, search, choices('Kind', TYPES, type, (value) => { state.type = value; ask(); })), results);
  await ask();
  const refresh = afterPause(PAUSE, () => { if (!state.text.trim()) newest(results, signal).catch(() => {}); });
  whileOpen(signal, ['note'], refresh);
}

async function newest(results, signal) {
  const { items, next } = await get('/notes', { believed: false, limit: 100 }, signal);
  if (items.length === 0) {
    show(results, empty('Nothing is remembered yet', 'A note is something that outlives its task: a fact, a preference, a convention. Write one:', curl('/remember', { text: 'I prefer window seats', subject: 'alice' })));
    return;
  }
  const entities = [...Map.groupBy(items, (note) => note.entity)];
  show(results,
    element('p', { class: 'quiet' }, `The newest ${plural(items.length, 'note')}${next ? '' : ', which is all'}, about ${plural(entities.length, 'thing')}.`),
    element('nav', { class: 'row', 'aria-label': 'Things that notes are about' }, entities.map(([name, notes]) => element('a', { class: 'badge', href: entityHref(name) }, `${name} ${notes.length}`))),
    element('div', { class: 'stack' }, items.map(noteCard)));
}

function answers(text, found, explained, milliseconds) {
  if (found.hits.length === 0) return empty(`Nothing answers “${text}”`, 'No words and no meaning near it. Try fewer words, or all kinds.', curl('/recall', { query: text }));
  const why = new Map(explained.hits.map((hit) => [hit.key, hit]));
  return [
    element('p', { class: 'quiet', role: 'status' }, `${plural(found.hits.length, 'answer')} by ${found.method}, ${whole(found.tokens)} tokens, in ${Math.round(milliseconds)} ms. ${explained.fusion}`),
    found.hits.map((hit) => answer(hit, why.get(hit.id))),
  ];
}

function answer(hit, why) {
  return element('article', { class: 'card' },
    element('div', { class: 'row' }, badge(hit.kind), element('strong', { class: 'number' }, score(hit.similarity)), why?.similarity !== undefined && element('span', { class: 'quiet' }, `similarity ${score(why.similarity)}`), element('span', { class: 'side quiet' }, when(hit.created_at))),
    element('p', { class: 'said' }, hit.text),
    element('div', { class: 'row quiet' }, place(hit), `${whole(hit.tokens)} tokens`),
    why ? element('details', {}, element('summary', {}, 'How the score came about'), channelBars(why.channels)) : element('p', { class: 'quiet' }, `Brought by what is beside it, not by the ${words(hit.kind)} itself.`));
}

function place(hit) {
  if (hit.kind === 'NOTE') return recordLink('note', hit.id);
  const path = hit.kind === 'TURN' ? `/turns/${hit.id}` : `/artifacts/${hit.id}`;
  const open = async (event) => {
    event.preventDefault();
    const record = await get(path);
    location.hash = `#/trajectories/${record.trajectory}?turn=${hit.id}`;
  };
  return element('a', { href: '#/memory', onclick: open }, `${words(hit.kind)} in its trajectory`);
}
