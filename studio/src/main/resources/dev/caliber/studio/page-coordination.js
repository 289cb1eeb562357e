// Who holds what, who waits for whom, what is stuck; and the two ways to step in.
import { element, drawing, show, afterPause } from './dom.js';
import { get, post } from './api.js';
import { whileOpen } from './live.js';
import { when, moment, words, plural, shortId, oneLine } from './format.js';
import { heading, empty, loading, panel, badge, confirmed, curl, facts, recordLink, failure } from './parts.js';

const PAUSE = 250;
const TABLES = ['agent', 'lease', 'lease_wait', 'message', 'delegation', 'handoff', 'conflict'];
const SHOWN = 50;

export async function coordinationPage(view, parameters, signal) {
  show(view, heading('Coordination'), loading('who does what'));
  const message = element('div', { 'aria-live': 'polite' });
  const opened = new Set(); // what was unfolded stays so when something happens
  const read = async () => {
    const list = (path, wanted) => get(path, { limit: SHOWN, ...wanted }, signal);
    const [agents, standing, pending, delivered, dead, delegations, handoffs, conflicts] = await Promise.all([
      list('/agents'), get('/coordination/status', {}, signal), list('/messages', { state: 'PENDING' }), list('/messages', { state: 'DELIVERED' }), list('/messages', { state: 'DEAD' }),
      list('/delegations'), list('/handoffs'), list('/conflicts')]);
    if (agents.items.length === 0) {
      show(view, heading('Coordination'), empty('No agent has registered', 'Agents that share work take leases, write to each other and hand tasks over. Make one known, and it shows here:', curl('/agents', { agent: 'planner', type: 'lead' })));
      return;
    }
    const mail = { items: [...dead.items, ...delivered.items, ...pending.items], next: dead.next ?? delivered.next ?? pending.next };
    const isCut = (kind) => standing.cut.includes(kind);
    show(view, heading('Coordination', element('span', { class: 'quiet' }, [counted(agents.items, agents.next, 'agent'), counted(standing.leases, isCut('lease'), 'lease'), counted(standing.waiters, isCut('lease_wait'), 'waits', 'wait'), counted(mail.items, mail.next, 'message')].join(', '), ' on the way')), message,
      element('div', { class: 'grid' },
        panel('Who holds what, and who waits for whom', {}, holders(standing), more(Math.max(standing.leases.length, standing.waiters.length) > SHOWN, curl('/coordination/status'))),
        element('div', { class: 'stack wide' },
          panel('Leases', {}, leases(standing.leases.slice(0, SHOWN), act), more(standing.leases.length > SHOWN, './caliber leases list')),
          panel('Inboxes', {}, inboxes(mail.items, act), more(mail.next, './caliber messages list')),
          panel('Delegations and handoffs', {}, work(delegations.items, handoffs.items, opened), more(delegations.next, curl('/delegations')), more(handoffs.next, curl('/handoffs')))),
        element('div', { class: 'stack narrow' },
          panel('Stuck', {}, stuck(standing.stuck.slice(0, SHOWN)), more(standing.stuck.length > SHOWN, curl('/coordination/status'))),
          panel('Agents', {}, agentList(agents.items), more(agents.next, './caliber agents list')),
          conflicts.items.length > 0 && panel('Conflicts', {}, disputes(conflicts.items, opened), more(conflicts.next, curl('/conflicts'))))));
  };
  const act = async (call) => {
    try {
      await call();
      await read();
    } catch (problem) {
      show(message, failure(problem));
    }
  };
  await read();
  whileOpen(signal, TABLES, afterPause(PAUSE, () => read().catch(() => {})));
}

const name = (resource) => `${resource.type} ${resource.id}`;
const target = (address) => address.agent ?? `any ${address.type}`;
const line = (mark, text, ...end) => element('li', {}, mark, element('span', { class: 'wrap' }, text), end.map((one) => element('span', { class: 'end' }, one)));
const payload = ({ payload: said }) => oneLine(typeof said?.text === 'string' ? said.text : JSON.stringify(said) ?? '').slice(0, 120);
const counted = (found, isCut, one, many) => plural(found.length, one, many) + (isCut ? ' or more' : '');
/** Under a list that is not whole: what shows the rest. */
const more = (isCut, command) => isCut && element('p', { class: 'quiet' }, `The first ${SHOWN}. All of them: `, element('code', {}, command));
const nothing = (text) => element('p', { class: 'quiet' }, text);

/** Agents on the left, what they hold on the right; a solid line holds, a dashed one waits. */
function holders({ leases, waiters }) {
  const standing = { leases: leases.slice(0, SHOWN), waiters: waiters.slice(0, SHOWN) };
  const things = [...new Set([...standing.leases, ...standing.waiters].map((one) => name(one.resource)))];
  if (things.length === 0) return nothing('Nobody holds anything.');
  const people = [...new Set([...standing.leases.map((one) => one.holder), ...standing.waiters.map((one) => one.agent)])];
  const row = 40;
  const width = 980;
  const height = Math.max(people.length, things.length) * row + 8;
  const y = (index) => 8 + index * row + 14;
  const box = (x, index, text, live) => drawing('g', {}, drawing('rect', { class: `box ${live ? 'live' : ''}`, x, y: y(index) - 14, width: 230, height: 28, rx: 6 }), drawing('text', { class: 'strong', x: x + 12, y: y(index) + 4 }, text.slice(0, 34)));
  const curve = (kind, from, to, title) => drawing('path', { class: kind, d: `M${260} ${y(from)} C${width / 2} ${y(from)} ${width / 2} ${y(to)} ${width - 260} ${y(to)}` }, drawing('title', {}, title));
  return drawing('svg', { class: 'chart broad', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${plural(standing.leases.length, 'lease')} held and ${plural(standing.waiters.length, 'place')} waited for` },
    standing.leases.map((lease) => curve('link', people.indexOf(lease.holder), things.indexOf(name(lease.resource)), `${lease.holder} holds ${name(lease.resource)}`)),
    standing.waiters.map((wait) => curve('against', people.indexOf(wait.agent), things.indexOf(name(wait.resource)), `${wait.agent} waits for ${name(wait.resource)}, behind ${wait.behind.join(', ')}${wait.cut ? ' and others' : ''}`)),
    people.map((person, index) => box(30, index, person, standing.leases.some((lease) => lease.holder === person))),
    things.map((thing, index) => box(width - 260, index, thing, false)));
}

function leases(held, act) {
  if (held.length === 0) return nothing('No lease is held.');
  const revoke = async (lease) => {
    const yes = await confirmed({ title: `Take ${name(lease.resource)} away from ${lease.holder}?`, action: 'Revoke the lease', body: element('p', {}, 'Writes that it makes under this lease are refused from now on, and the next in the queue gets its turn. The audit log keeps who did it.') });
    if (yes) act(() => post(`/leases/${lease.id}/revoke`));
  };
  return element('ul', { class: 'lines' }, held.map((lease) => element('li', { 'data-lease': lease.id },
    badge(lease.mode), element('span', { class: 'wrap' }, element('strong', {}, name(lease.resource)), ` held by ${lease.holder}`), element('span', { class: 'end' }, 'ends ', when(lease.expires_at)),
    element('button', { type: 'button', 'aria-label': `Revoke the lease of ${lease.holder} on ${name(lease.resource)}`, onclick: () => revoke(lease) }, 'Revoke…'))));
}

function inboxes(mail, act) {
  if (mail.length === 0) return nothing('Nothing is on the way.');
  const requeue = async (message) => {
    const yes = await confirmed({ title: `Put the message back into the inbox of ${target(message.to)}?`, action: 'Requeue the message', body: element('p', {}, `It was given back ${plural(message.delivery.attempts, 'time')}. It starts again with all its deliveries before it. The audit log keeps who did it.`) });
    if (yes) act(() => post(`/messages/${message.id}/requeue`));
  };
  return element('ul', { class: 'lines' }, mail.map((message) => element('li', { 'data-message': message.id },
    badge(message.delivery.state), element('span', { class: 'wrap' }, element('strong', {}, target(message.to)), ` ${message.letter.type} from ${message.from} `, element('span', { class: 'quiet' }, payload(message.letter))),
    element('span', { class: 'end' }, when(message.created_at)),
    message.delivery.state === 'DEAD' && element('button', { type: 'button', 'aria-label': `Requeue the message ${shortId(message.id)}`, onclick: () => requeue(message) }, 'Requeue…'))));
}

/** A line that unfolds. */
function folded(opened, id, head, body) {
  const toggled = (event) => (event.target.open ? opened.add(id) : opened.delete(id));
  return element('li', { class: 'folded', 'data-record': id }, element('details', { open: opened.has(id), ontoggle: toggled }, element('summary', {}, head), body));
}

const listed = (all) => all?.length > 0 && element('ul', { class: 'plain' }, all.map((one) => element('li', {}, one)));
const links = (kind, ids) => ids?.length > 0 && ids.map((id, index) => [index > 0 && ', ', recordLink(kind, id)]);

function work(delegations, handoffs, opened) {
  if (delegations.length + handoffs.length === 0) return nothing('Nobody has given work to another.');
  return element('ul', { class: 'lines' },
    delegations.map((one) => folded(opened, one.id,
      [badge(one.status), ' ', element('strong', {}, `${one.delegator} → ${one.delegatee ?? target(one.to)}`), ` ${one.task.description} `, when(one.updated_at)],
      facts({ task: recordLink('trajectory', one.child_trajectory ?? one.task.trajectory), 'answer by': moment(one.answer_by), deadline: one.deadline && moment(one.deadline),
        report: one.report, result: one.result !== undefined && element('pre', {}, JSON.stringify(one.result, null, 2)), done: one.completed_at && moment(one.completed_at), id: element('code', {}, one.id) }))),
    handoffs.map((one) => folded(opened, one.id,
      [badge(one.status), ' ', element('strong', {}, `${one.from} ⇒ ${one.receiver ?? target(one.to)}`), ' hands over a task ', when(one.initiated_at)],
      facts({ task: recordLink('trajectory', one.trajectory), reason: one.outline.reason, notes: one.outline.notes, 'next steps': listed(one.outline.next_steps), blockers: listed(one.outline.blockers), 'open questions': listed(one.outline.open_questions),
        'shared notes': links('note', one.shared.notes), 'shared artifacts': links('artifact', one.shared.artifacts), 'replaced by': one.superseded_by && shortId(one.superseded_by), id: element('code', {}, one.id) }))));
}

const side = ({ record, agent }) => [agent && `${agent}: `, recordLink(record.type, record.id)];

/** Those first that somebody has asked people to decide. */
function disputes(conflicts, opened) {
  const byNeed = [...conflicts].sort((one, other) => (other.status === 'ESCALATED') - (one.status === 'ESCALATED'));
  return element('ul', { class: 'lines' }, byNeed.map((one) => folded(opened, one.id,
    [badge(one.status), ` ${one.about} `, when(one.detected_at)],
    facts({ kind: words(one.type), one: side(one.first), other: side(one.second), task: one.trajectory && recordLink('trajectory', one.trajectory),
      decided: one.resolution && `${words(one.resolution.verdict)}, by ${one.resolution.by}`, because: one.resolution?.reason, id: element('code', {}, one.id) }))));
}

const stuck = (things) => (things.length === 0 ? nothing('Nothing is stuck.') : element('ul', { class: 'lines' }, things.map((one) => line(badge(one.kind, 'is-failed'), `${one.reason} `, when(one.since)))));

const agentList = (agents) => element('ul', { class: 'lines' }, agents.map(({ agent, heard }) => line(element('span', { class: `dot ${words(agent.status)}` }), [element('strong', {}, agent.id), ` ${agent.profile.type} `, agent.trajectory && recordLink('trajectory', agent.trajectory, 'its task')], words(agent.status), heard && ['heard ', when(heard)])));
