// The token: where it comes from, where it is kept, and requests that show it.
import {h, fill, byId} from './dom.js';

const KEY = `patchbay-token`;
let token = takeFromAddress() ?? sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? '';

/** A token behind the # comes from the link that the gateway printed; it does not stay there. */
function takeFromAddress() {
  const match = /^#token=([^&/]+)$/.exec(location.hash);
  if (!match) return null;
  history.replaceState(null, '', '/#/servers');
  const found = decodeURIComponent(match[1]);
  sessionStorage.setItem(KEY, found);
  return found;
}

export class Refused extends Error {}

/** A request with the token; a refused token ends in the login. */
export async function request(path, options = {}) {
  const headers = {...options.headers};
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, {...options, headers, credentials: 'omit', cache: 'no-store'});
  if (response.status === 401) throw new Refused('The token is missing or wrong');
  return response;
}

/** JSON from the API of the dashboard. */
export async function api(path, options) {
  const response = await request(`/api/${path}`, options);
  if (!response.ok) throw new Error((await response.text()).trim() || `HTTP ${response.status}`);
  return response.json();
}

/** Asks for the token, and goes on once there is a right one. */
export function login(enter) {
  const had = token !== '';
  const field = h('input', {id: 'token', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true});
  const keep = h('input', {type: 'checkbox'});
  const fault = h('p', {class: 'fault', role: 'alert'}, had ? 'That token is not the one of this gateway.' : '');
  const form = h('form', {class: 'card login'},
    h('h2', {}, 'Which token?'),
    h('p', {class: 'muted'}, 'It was printed when ', h('code', {}, 'patchbay serve'), ' began. The link that was printed with it opens this page without asking.'),
    h('label', {for: 'token'}, 'Token'), field,
    h('label', {class: 'check'}, keep, 'Keep it in this browser'),
    fault, h('button', {class: 'primary'}, 'Open'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    token = field.value.trim();
    sessionStorage.setItem(KEY, token);
    localStorage.removeItem(KEY);
    if (keep.checked) localStorage.setItem(KEY, token);
    enter();
  });
  fill(byId('main'), form);
  field.focus();
}
