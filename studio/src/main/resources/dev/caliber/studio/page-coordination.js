// Who holds what and who waits for whom.
import { show } from './dom.js';
import { heading, empty } from './parts.js';

export async function coordinationPage(view) {
  show(view, heading('Coordination'), empty('No agent has registered', 'Agents that share work take leases, send messages and hand tasks over; this page shows who holds what and who waits.', './caliber agents list'));
}
