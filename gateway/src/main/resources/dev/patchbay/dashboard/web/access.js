// The token: where it comes from, where it is stored, and requests that send it.
import {h, fill, byId} from './dom.js';

const KEY = `patchbay-token`;
let token = takeFromAddress() ?? sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? '';

/** Takes the token from the link that the gateway printed, and removes it from the address. */
function takeFromAddress() {
  const match = /^#token=([^&/]+)$/.exec(location.hash);
  if (!match) return null;
  history.replaceState(null, '', '/#/servers');
  const found = decodeURIComponent(match[1]);
  sessionStorage.setItem(KEY, found);
  return found;
}

export class Refused extends Error {}

/** Sends a request with the token; throws Refused if the token is not valid. */
export async function request(path, options = {}) {
  const headers = {...options.headers};
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, {...options, headers, credentials: 'omit', cache: 'no-store'});
  if (response.status === 401) throw new Refused('The token is missing or not valid');
  return response;
}

/** Fetches JSON from the dashboard's API. */
export async function api(path, options) {
  const response = await request(`/api/${path}`, options);
  if (!response.ok) throw new Error((await response.text()).trim() || `HTTP ${response.status}`);
  return response.json();
}

/** Shows the sign-in form and calls enter when it is submitted. */
export function login(enter) {
  const had = token !== '';
  const field = h('input', {id: 'token', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true});
  const keep = h('input', {type: 'checkbox'});
  const fault = h('p', {class: 'fault', role: 'alert'}, had ? 'This token is not valid.' : '');
  const form = h('form', {class: 'card login'},
    h('h2', {}, 'Sign in'),
    h('p', {class: 'muted'}, 'Open the link printed by ', h('code', {}, 'patchbay serve'), ', or paste the token.'),
    h('label', {for: 'token'}, 'Token'), field,
    h('label', {class: 'check'}, keep, 'Remember in this browser'),
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
