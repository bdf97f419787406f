// Assembles the page: navigation, incoming events, and the header.
import {h, fill, byId, announce} from './dom.js';
import {api, login} from './access.js';
import {follow} from './live.js';
import {store, on, setOverview, setTools, setCalls, addCalls, addStep, updateServers} from './store.js';
import {setClock, lastHeard, clock} from './format.js';
import {listen} from './keys.js';
import * as servers from './servers.js';
import * as tools from './tools.js';
import * as calls from './calls.js';

const views = {
  servers: {title: 'Servers', make: servers.serversView, show() {}},
  tools: {title: 'Tools', make: tools.toolsView, show: tools.show},
  calls: {title: 'Calls', make: calls.callsView, show: calls.show},
};
let current;
let pendingPreset;
let inside = false;
let doubt;

/** How long an interruption may last before the page shows it. */
const DOUBT_MIN = 1500;

/** Opens a view by the fragment of its URL; a form can be filled in advance. */
export function go(address, preset) {
  pendingPreset = preset;
  if (location.hash !== address) history.pushState(null, '', address);
  route();
}

function route() {
  if (!inside) return;
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [tab, ...rest] = path.split('/');
  const name = views[tab] ? tab : 'servers';
  if (current !== name) {
    current = name;
    fill(byId('main'), h('h2', {class: 'visually-hidden'}, views[name].title), views[name].make());
    document.title = `${views[name].title} · Patchbay`;
    document.querySelectorAll('[data-tab]').forEach((link) => {
      if (link.dataset.tab === name) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    });
  }
  views[name].show(decodeURIComponent(rest.join('/')), new URLSearchParams(query ?? ''), pendingPreset);
  pendingPreset = undefined;
}

function live(state, text, resting = false) {
  const element = byId('live');
  element.dataset.state = state;
  element.textContent = text;
  clearTimeout(doubt);
  if (state === 'on') gone(false);
  else if (inside && !resting) doubt = setTimeout(() => gone(true), DOUBT_MIN);
}

/** Marks the page as stale, so that old data does not look current. */
function gone(so) {
  byId('gone').hidden = !so;
  byId('main').classList.toggle('stale', so);
  byId('gone').textContent = so ? `The gateway does not respond. This is its state at ${clock(lastHeard())}.` : '';
}

async function load() {
  const [overview, catalogue, log] = await Promise.all([api('overview'), api('tools'), api('calls')]);
  setClock(overview.now);
  setOverview(overview);
  setTools(catalogue);
  setCalls(log);
  live('on', 'Live');
  if (!inside) {
    inside = true;
    route();
  }
}

async function take(event) {
  setClock(event.now);
  switch (event.type) {
    case 'servers': updateServers(event.servers, event.removed); break;
    case 'calls': addCalls(event.calls); break;
    case 'step': addStep(event.servers, event.clients); break;
    case 'tools': setTools(await api('tools')); break;
    default: break;
  }
}

function enter() {
  current = undefined;
  follow({
    opened: load,
    closed: (resting) => live('off', resting ? 'Paused' : 'Reconnecting', resting),
    refused: () => {
      inside = false;
      gone(false);
      live('off', 'Locked');
      login(enter);
    },
    event: take,
  });
}

function theme() {
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const stored = localStorage.getItem('patchbay-theme');
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
  byId('theme').addEventListener('click', () => {
    const next = dark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    localStorage.setItem('patchbay-theme', next);
    announce(`${next} colours`);
  });
}

const count = (id, value) => { byId(id).textContent = value ? String(value) : ''; };
on('servers', () => { count('count-servers', store.servers.size); servers.draw(); });
on('tools', () => { count('count-tools', store.tools.length); tools.redraw(); });
on('calls', calls.redraw);
window.addEventListener('popstate', route);
setInterval(() => { if (byId('live').dataset.state === 'on') servers.tick(); }, 1000);
theme();
listen(go);
enter();
