// One window: its text beside its ledger, and what another budget would change.
import { element, show, afterPause } from './dom.js';
import { get, post } from './api.js';
import { whole, short, moment, words, score, plural, oneLine, when } from './format.js';
import { heading, badge, facts, loading, panel, choices, failure, recordLink } from './parts.js';
import { LongList } from './list.js';
import { tokenBar, legend, isIn, why, keyOf, candidateLink, channelBars } from './windows.js';

const HEIGHT = 56;
const PAUSE = 220;
const LEAST = 100;

export async function windowPage(view, { id, trajectory, query, budget }, signal) {
  view.className = 'full';
  show(view, loading('the window'));
  const draft = id === 'draft';
  const made = draft
    ? await post('/context/assemble', { trajectory, query: query || undefined, max_tokens: Number(budget), dry_run: true }, signal)
    : await kept(id, signal);
  const task = await get(`/trajectories/${made.window.trajectory}`, {}, signal).catch(() => null);
  const others = draft ? [] : (await get(`/trajectories/${made.window.trajectory}/windows`, { limit: 20 }, signal)).items.filter((other) => other.id !== id);
  new WindowView(view, made, signal).open(task, others, draft);
}

async function kept(id, signal) {
  const window = await get(`/windows/${id}`, {}, signal);
  const text = await get(`/windows/${id}/replay`, {}, signal).then((again) => again.text, (problem) => `This window cannot be made again: ${problem.message}`);
  return { window, text };
}

class WindowView {
  constructor(view, { window, text }, signal) {
    Object.assign(this, { view, window, text, signal, filter: '', asked: 0, ledger: window.ledger });
    this.bar = element('div', { class: 'stack' }, tokenBar(window), legend(window));
    this.textNode = element('pre', { class: 'window-text', tabindex: '0', role: 'region', 'aria-label': 'The text as it is sent' });
    this.kinds = element('div');
    this.detail = element('div', { class: 'stack under' });
    this.moves = element('div', { class: 'stack', 'aria-live': 'polite' });
    this.list = new LongList({ label: 'Ledger: every candidate', height: HEIGHT, draw: (line) => row(line), choose: (line) => this.choose(line) });
  }

  open(task, others, draft) {
    const { window } = this;
    show(this.view,
      heading(window.inputs.query ?? 'A window without a question', draft && badge('not kept', 'is-suspended'),
        element('div', { class: 'crumbs' }, element('a', { href: '#/windows' }, 'Windows'), 'of ', recordLink('trajectory', window.trajectory, task ? oneLine(task.goal).slice(0, 70) : undefined), ' composed ', when(window.assembled_at),
          ` as ${words(window.recipe.format)}, counted by ${window.recipe.counter}`, window.inputs.degraded && `, ${window.inputs.degraded}`, others.length > 0 && this.comparison(others))),
      this.bar, this.slider(), this.moves,
      element('div', { class: 'split' },
        element('div', {}, element('h2', {}, 'As it is sent'), this.textNode),
        element('div', {}, element('div', { class: 'row' }, element('h2', {}, 'Ledger'), this.kinds), this.list.node, this.detail)));
    this.showText(this.text);
    this.fill();
  }

  fill() {
    const inside = this.ledger.filter(isIn).length;
    show(this.kinds, choices('Candidates', [['', `All ${this.ledger.length}`], ['in', `In ${inside}`], ['out', `Out ${this.ledger.length - inside}`]], this.filter, (value) => { this.filter = value; this.list.set(this.chosen()); }));
    this.list.set(this.chosen());
  }

  chosen() {
    return this.ledger.filter((line) => !this.filter || (this.filter === 'in') === isIn(line));
  }

  /** Citations of the text are what the ledger's numbers mean. */
  showText(text) {
    show(this.textNode, text.split(/(\[\d+\])/).map((piece) => (/^\[\d+\]$/.test(piece) ? element('mark', { 'data-number': piece.slice(1, -1) }, piece) : piece)));
  }

  choose(line) {
    const { candidate } = line;
    this.textNode.querySelectorAll('.found').forEach((mark) => mark.classList.remove('found'));
    const mark = this.textNode.querySelector(`[data-number="${line.number}"]`);
    if (mark) {
      mark.classList.add('found');
      this.textNode.scrollTop = mark.offsetTop - this.textNode.offsetTop - 60;
    }
    show(this.detail, panel(`Candidate ${line.number}`, {},
      element('p', {}, badge(line.decision), ' ', why(line)),
      facts({ record: candidateLink(candidate, this.window.trajectory), section: `${candidate.section}, priority ${candidate.priority}`, rule: line.rule, tokens: isIn(line) ? `${whole(line.tokens)} of ${whole(line.full_tokens)}` : `would take ${whole(line.full_tokens)}`, score: `${score(candidate.scores.score)}, relevance ${score(candidate.scores.relevance)}`, trust: candidate.scores.trust && `${candidate.scores.trust.value}, ${words(candidate.scores.trust.level)}`, from: moment(candidate.time) }),
      candidate.scores.channels.length > 0 ? channelBars(candidate.scores.channels) : element('p', { class: 'quiet' }, 'Not found by search: its rule offers it whatever the question is.')));
  }

  slider() {
    const { budget } = this.window.recipe;
    const most = Math.max(4000, budget * 3);
    const value = element('output', { class: 'number' }, `${whole(budget)} tokens`);
    const range = element('input', { type: 'range', id: 'budget', min: LEAST, max: most, step: 50, value: budget, 'aria-label': 'Budget in tokens', oninput: () => { show(value, `${whole(Number(range.value))} tokens`); this.tryBudget(Number(range.value)); } });
    this.tryBudget = afterPause(PAUSE, (tokens) => this.dryRun(tokens));
    return element('div', { class: 'row' }, element('label', { for: 'budget', class: 'quiet' }, 'What if the budget was'), range, value);
  }

  /** The same question with another budget; nothing is kept. */
  async dryRun(tokens) {
    const asked = ++this.asked;
    const { window } = this;
    try {
      const other = await post('/context/assemble', { trajectory: window.trajectory, query: window.inputs.query, model: window.inputs.model, as_of: window.inputs.as_of ?? window.recipe.at, format: window.recipe.format, max_tokens: tokens, dry_run: true }, this.signal);
      if (asked !== this.asked) return;
      const same = tokens === window.recipe.budget;
      show(this.bar, tokenBar(other.window), legend(other.window));
      this.showText(other.text);
      this.ledger = other.window.ledger;
      this.fill();
      show(this.moves, same ? null : changes({ window, text: this.text }, other));
    } catch (problem) {
      if (asked === this.asked && problem.name !== 'AbortError') show(this.moves, failure(problem));
    }
  }

  comparison(others) {
    return element('label', { class: 'row' }, 'compare with', element('select', { onchange: (event) => this.compare(event.target.value) }, element('option', { value: '' }, 'another window…'),
      others.map((other) => element('option', { value: other.id }, `${short(other.recipe.budget)} tokens, ${oneLine(other.inputs.query ?? 'no question').slice(0, 40)}, ${moment(other.assembled_at)}`))));
  }

  async compare(other) {
    if (!other) { show(this.moves); return; }
    try {
      const diff = await get(`/windows/${this.window.id}/diff/${other}`, {}, this.signal);
      const same = [...diff.changed, ...diff.resized, ...diff.moved];
      const line = (change, tone) => move(change.candidate, this.window.trajectory, tone, `${whole(change.before)} → ${whole(change.after)} tokens: ${change.why}`);
      show(this.moves, panel('What the other window has differently', {},
        facts(Object.fromEntries(Object.entries(diff.inputs).map(([name, [here, there]]) => [words(name), `${here} → ${there}`]))),
        element('ul', { class: 'moves' }, diff.added.map((change) => line(change, 'plus')), diff.removed.map((change) => line(change, 'minus')), same.map((change) => line(change, ''))),
        diff.added.length + diff.removed.length + same.length === 0 && element('p', { class: 'quiet' }, 'Both hold the same records.')));
    } catch (problem) {
      show(this.moves, failure(problem));
    }
  }
}

const move = (candidate, trajectory, tone, text, said) => element('li', { class: tone }, candidateLink(candidate, trajectory), said && element('span', { class: 'grow' }, said), element('span', { class: 'quiet' }, text));

/** What the text says of each number, in a line. */
const sayings = (text) => new Map([...text.matchAll(/\[(\d+)\] ([^\n]+)/g)].map(([, number, said]) => [Number(number), said.replace(/^(.*?\d{4}-\d\d-\d\d: )/, '').slice(0, 110)]));

/** What enters and leaves. */
function changes({ window: before, text }, { window: after, text: other }) {
  const [here, there] = [sayings(text), sayings(other)];
  const had = new Map(before.ledger.map((line) => [keyOf(line.candidate), line]));
  const has = new Map(after.ledger.map((line) => [keyOf(line.candidate), line]));
  const enters = after.ledger.filter((line) => isIn(line) && !(had.has(keyOf(line.candidate)) && isIn(had.get(keyOf(line.candidate)))));
  const leaves = before.ledger.filter((line) => isIn(line) && !(has.has(keyOf(line.candidate)) && isIn(has.get(keyOf(line.candidate)))));
  const shown = 20;
  return panel(`With ${whole(after.recipe.budget)} tokens: ${plural(enters.length, 'record')} more, ${leaves.length} fewer`, { class: 'changes' },
    element('ul', { class: 'moves' }, enters.slice(0, shown).map((line) => move(line.candidate, after.trajectory, 'plus', `${whole(line.tokens)} tokens`, there.get(line.number))),
      leaves.slice(0, shown).map((line) => move(line.candidate, before.trajectory, 'minus', has.get(keyOf(line.candidate))?.reason ?? 'no rule offers it', here.get(line.number))),
      enters.length + leaves.length > 2 * shown && element('li', { class: 'quiet' }, 'and more')));
}

function row(line) {
  const { candidate } = line;
  return element('div', { class: 'ledger' },
    element('span', { class: 'number' }, line.number), badge(line.decision),
    element('span', {}, element('div', { class: 'what' }, `${candidate.section}: ${words(candidate.kind)}`, element('span', { class: 'quiet' }, ` score ${score(candidate.scores.score)}`)), element('div', { class: 'why' }, why(line))),
    element('span', { class: 'number' }, isIn(line) ? `${whole(line.tokens)} tokens` : `${whole(line.full_tokens)} left out`));
}
