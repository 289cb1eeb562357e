// What pages about windows share: the bar of sections, and where a candidate leads.
import { element } from './dom.js';
import { whole, percent, words, shortId } from './format.js';

const FRAME = 'frame';

/** Tokens by section, what stands around them, and what is free. */
export function parts(window) {
  const sections = window.sections.map((section) => ({ name: section.name, tokens: section.tokens, count: section.sources.length }));
  return window.frame > 0 ? [...sections, { name: FRAME, tokens: window.frame, count: null }] : sections;
}

/** How many tokens it might have: what was asked for, or what it was held to. */
export const ceiling = (window) => Math.min(window.recipe.budget, window.recipe.dosage?.max_tokens ?? window.recipe.budget);

export function tokenBar(window, thin = false) {
  const all = Math.max(ceiling(window), window.used_tokens);
  return element('div', { class: `bar ${thin ? 'thin' : ''}`, role: 'img', 'aria-label': `${whole(window.used_tokens)} of ${whole(ceiling(window))} tokens` },
    parts(window).map((part, index) => {
      const piece = element('span', { class: `c${colour(part, index)}`, title: `${part.name}: ${whole(part.tokens)} tokens` });
      piece.style.width = `${(100 * part.tokens) / all}%`;
      return piece;
    }));
}

const colour = (part, index) => (part.name === FRAME ? 6 : (index % 5) + 1);

export function legend(window) {
  return element('ul', { class: 'legend' },
    parts(window).map((part, index) => element('li', {}, element('i', { class: `c${colour(part, index)}` }), `${part.name} `, element('span', { class: 'quiet number' }, `${whole(part.tokens)}${part.count === null ? '' : ` in ${part.count}`}`))),
    element('li', { class: 'quiet' }, `${whole(window.used_tokens)} of ${whole(ceiling(window))} tokens used, ${percent(window.used_tokens, ceiling(window))}`));
}

/** Why, in words. */
export function why(line) {
  const rule = line.candidate.section;
  if (line.decision === 'INCLUDE') return `in as a whole: ${rule} offers it and it fits`;
  if (line.decision === 'COMPRESS') return `in as its main sentences, ${whole(line.tokens)} of ${whole(line.full_tokens)} tokens`;
  if (line.decision === 'TRUNCATE') return `in as its beginning, ${whole(line.tokens)} of ${whole(line.full_tokens)} tokens`;
  return `left out: ${line.reason}`;
}

export const isIn = (line) => line.decision !== 'EXCLUDE';
export const keyOf = (candidate) => `${candidate.kind} ${candidate.id}`;

/** Where a candidate can be looked at. */
export function candidateLink(candidate, trajectory) {
  const label = `${words(candidate.kind)} ${shortId(candidate.id)}`;
  const route = { NOTE: `#/memory/note/${candidate.id}`, TURN: `#/trajectories/${trajectory}?turn=${candidate.id}`, SCOPE: `#/trajectories/${trajectory}?turn=${candidate.id}`, ARTIFACT: `#/trajectories/${trajectory}?turn=${candidate.id}`, TRAJECTORY: `#/trajectories/${candidate.id}` }[candidate.kind];
  return route ? element('a', { href: route, title: candidate.id }, label) : element('span', {}, label);
}

/** A bar for each channel that had a say. */
export function channelBars(channels) {
  const heard = channels.filter((one) => one.weight > 0 && one.scaled > 0);
  return element('ul', { class: 'channels' }, heard.map((one) => {
    const piece = element('span');
    piece.style.width = `${Math.min(100, 100 * one.scaled)}%`;
    return element('li', { title: `raw ${one.raw}, place ${one.rank} of its channel` }, element('span', {}, `${words(one.channel)} × ${one.weight}`), element('span', { class: 'bar thin' }, piece), element('span', { class: 'number' }, (one.scaled * one.weight).toFixed(3)));
  }));
}
