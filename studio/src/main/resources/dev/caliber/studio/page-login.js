// The way in where a key is needed.
import { element, show } from './dom.js';
import { logIn } from './api.js';

export async function loginPage(view, done) {
  const message = element('p', { role: 'alert', class: 'quiet' });
  const field = element('input', { name: 'key', type: 'password', autocomplete: 'current-password', required: true, placeholder: 'cal_…' });
  const enter = async (event) => {
    event.preventDefault();
    try {
      await logIn(field.value.trim());
      done();
    } catch (problem) {
      show(message, problem.message, ' ', problem.advice ?? '');
      field.select();
    }
  };
  show(view, element('section', { class: 'login panel', 'aria-labelledby': 'title' },
    element('h1', { id: 'title' }, 'Log in'),
    element('p', { class: 'quiet' }, 'This server wants an API key. It is kept as a cookie that no script can read.'),
    element('form', { onsubmit: enter }, element('label', { class: 'field' }, 'API key', field), element('button', { class: 'primary' }, 'Log in'), message),
    element('p', { class: 'quiet' }, 'No key yet? On the server’s machine:'),
    element('pre', { class: 'command', tabindex: '0' }, './caliber keys create me --right admin')));
  field.focus();
}
