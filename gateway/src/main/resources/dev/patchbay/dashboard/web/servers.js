// The view of the servers: state, last response, statistics and actions.
import {h, fill, arrange, keeper, announce} from './dom.js';
import {api} from './access.js';
import {store, updateServers} from './store.js';
import {ago, since, micros, number, plural} from './format.js';
import {line, bars} from './spark.js';

/** The width of a chart is at least two minutes. */
const STEPS_MIN = 24;

const cards = new Map();
/** Diagnoses by server id; fetched again when the server changes. */
const diagnoses = new Map();

/** The search field is shown from this number of servers on. */
const FINDER_MIN = 8;

let list;
let total;
let search;
let onlyIll;
let finder;
let none;

export function serversView() {
  total = h('p', {class: 'total'});
  search = h('input', {type: 'search', id: 'search', placeholder: 'Find a server', 'aria-label': 'Find a server', autocomplete: 'off', oninput: sift});
  onlyIll = h('button', {type: 'button', 'aria-pressed': 'false', onclick: () => {
    onlyIll.setAttribute('aria-pressed', String(onlyIll.getAttribute('aria-pressed') !== 'true'));
    sift();
  }}, 'Only with problems');
  finder = h('div', {class: 'finder', hidden: true}, search, onlyIll);
  none = h('p', {class: 'card empty', hidden: true}, 'No matching servers.');
  list = h('div', {class: 'servers'});
  cards.clear();
  draw();
  return h('div', {}, h('div', {class: 'servers-head'}, total, finder), list, none);
}

/** Hides the cards that do not match the search. */
function sift() {
  const word = search.value.trim().toLowerCase();
  const ill = onlyIll.getAttribute('aria-pressed') === 'true';
  let shown = 0;
  for (const [id, {element, server}] of cards) {
    const fits = id.toLowerCase().includes(word) && (!ill || server.status === 'error' || Boolean(server.withheld?.length));
    if (element.hidden === fits) element.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  none.hidden = shown > 0 || cards.size === 0;
}

/** Draws the cards that have changed. */
export function draw() {
  if (!list) return;
  const all = [...store.servers.values()];
  drawTotal(all);
  finder.hidden = all.length < FINDER_MIN;
  if (all.length === 0) {
    cards.clear();
    fill(list, h('div', {class: 'card empty'}, h('p', {}, 'No server is configured.'),
      h('p', {}, 'Add one: ', h('code', {}, 'patchbay add ID -- COMMAND')),
      h('p', {}, 'Or import the ones you have: ', h('code', {}, 'patchbay import claude-desktop'))));
    return;
  }
  for (const [id, card] of cards) {
    if (!store.servers.has(id)) {
      card.element.remove();
      cards.delete(id);
    }
  }
  list.querySelector('.empty')?.remove();
  all.forEach((server, at) => {
    const known = cards.get(server.serverId);
    if (known?.server === server && known.steps === server.history) return;
    if (known && known.server.status !== server.status) announce(`${server.serverId} is ${server.status}`);
    const card = known ?? {element: h('article', {class: 'card server'}), keep: keeper(({draw: part, of}) => part(of))};
    Object.assign(card, {server, steps: server.history});
    drawCard(card);
    cards.set(server.serverId, card);
    if (list.children[at] !== card.element) list.insertBefore(card.element, list.children[at] ?? null);
  });
  sift();
}

function drawTotal(all) {
  const working = all.filter((server) => server.status === 'connected').length;
  const calls = all.reduce((sum, server) => sum + server.calls, 0);
  const ill = all.filter((server) => server.status === 'error').length;
  const errors = all.reduce((sum, server) => sum + server.errors, 0);
  const clients = Object.entries(store.overview.clients).filter(([name]) => name !== 'patchbay-dashboard');
  fill(total,
    h('span', {}, h('strong', {}, `${working} of ${all.length}`), ' connected'),
    ill > 0 ? h('span', {class: 'ill'}, h('strong', {}, String(ill)), ' with problems') : null,
    h('span', {}, h('strong', {}, number(calls)), calls === 1 ? ' call' : ' calls'),
    h('span', {}, h('strong', {}, number(errors)), ' failed'),
    clients.length > 0 ? h('span', {title: clients.map(([name, made]) => `${name}: ${plural(made, 'call')}`).join('\n')},
      h('strong', {}, String(clients.length)), clients.length === 1 ? ' client' : ' clients') : null);
}

/** Keeps the head and the problems while only statistics change. */
function drawCard({element, server, keep}) {
  element.dataset.state = server.status;
  element.dataset.server = server.serverId;
  element.dataset.item = '';
  element.setAttribute('aria-label', `${server.serverId}, ${server.status}`);
  const part = (key, draw, state) => ({key, state, item: {draw, of: server}});
  arrange(element, keep([
    part('head', head, [server.status, server.enabled, server.protocol, server.stale].join()),
    part('body', body, server),
    part('trouble', trouble, [server.enabled, server.message, JSON.stringify(ask(server))].join()),
    part('withheld', withheld, JSON.stringify(server.withheld)),
    part('filtered', filtered, JSON.stringify(server.filtered)),
  ]));
}

function head(server) {
  return h('div', {class: 'server-head'},
    h('h2', {}, server.serverId), h('span', {class: 'state', 'data-state': server.status}, server.status),
    h('span', {class: 'chip'}, [server.transport, server.protocol].filter(Boolean).join(' · ')),
    server.stale ? h('span', {class: 'chip', title: 'This list was saved earlier. The server has not confirmed it yet.'}, 'cached list') : null,
    h('div', {class: 'actions'}, server.enabled
      ? [action(server, 'refresh', 'Refresh', 'Fetch its tools again'), action(server, 'reconnect', 'Reconnect', 'Close the connection and connect again'),
        action(server, 'disable', 'Disable', 'Until it is enabled again or the gateway restarts')]
      : action(server, 'enable', 'Enable', 'Connect to it again')));
}

function action(server, name, label, title) {
  const button = h('button', {class: 'quiet', type: 'button', title, 'data-action': name, 'aria-label': `${label} ${server.serverId}`, onclick: async () => {
    button.disabled = true;
    try {
      updateServers([await api(`servers/${encodeURIComponent(server.serverId)}/${name}`, {method: 'POST'})], []);
    } catch (problem) {
      announce(problem.message);
      button.title = problem.message;
    } finally {
      button.disabled = false;
    }
  }}, label);
  return button;
}

function body(server) {
  const steps = Math.max(STEPS_MIN, server.history.calls.length);
  const {calls, errors, latencyMicros} = server.history;
  const up = server.status === 'connected' ? server.lastConnectedAt : null;
  const counted = `${plural(server.calls, 'call')}, ${number(server.errors)} failed`;
  const latency = server.meanMicros === undefined ? 'no latency yet' : `${micros(server.meanMicros)} on average`;
  return h('div', {class: 'server-body'},
    h('dl', {class: 'facts'},
      fact('Tools', server.toolCount ? h('a', {href: `#/tools?server=${encodeURIComponent(server.serverId)}`}, String(server.toolCount)) : server.status === 'connected' ? '0' : '–'),
      fact('Last response', time('ago', server.lastProofAt)),
      fact('Up', time('since', up)),
      fact('Restarts', String(server.restarts)),
      fact('In flight', String(server.inFlight))),
    server.calls === 0 ? null : h('div', {class: 'sparks'},
      line(latencyMicros, steps, latency, `Latency of ${server.serverId} in the last minutes: ${latency}`),
      bars(calls, errors, steps, counted, `Calls of ${server.serverId} in the last minutes: ${counted}`)));
}

const fact = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));

/** A time that tick updates every second. */
function time(kind, instant) {
  return h('span', {'data-time': kind, 'data-instant': instant ?? '', title: instant ?? ''}, kind === 'ago' ? ago(instant) : since(instant));
}

export function tick() {
  document.querySelectorAll('[data-time]').forEach((element) => {
    const {time: kind, instant} = element.dataset;
    const text = kind === 'ago' ? ago(instant) : since(instant);
    if (element.textContent !== text) element.textContent = text;
  });
}

/** The problems of a server: the diagnoses, or the error while there are none yet. */
function trouble(server) {
  if (!server.enabled) return null;
  const found = ask(server);
  if (found?.length) return h('div', {class: 'troubles'}, found.map(diagnosis));
  return server.message ? h('div', {class: 'trouble'}, h('p', {}, h('span', {class: 'chip bad'}, server.reason), server.message)) : null;
}

function diagnosis(found) {
  const bad = found.severity === 'error';
  return h('div', {class: bad ? 'trouble' : 'trouble mild', 'data-reason': found.reason},
    h('p', {}, h('span', {class: bad ? 'chip bad' : 'chip'}, found.reason), found.name ? h('code', {}, `${found.name} `) : null, found.problem),
    found.evidence.length > 0 ? h('pre', {class: 'evidence'}, found.evidence.join('\n')) : null,
    h('p', {class: 'next'}, h('strong', {}, 'Next: '), found.nextStep));
}

function ask(server) {
  const key = [server.status, server.message, server.toolCount, server.withheld?.length].join();
  const known = diagnoses.get(server.serverId);
  const settled = server.status === 'connected' || server.status === 'error';
  // A diagnosis of another state is out of date.
  const before = known?.status === server.status ? known.found : undefined;
  if (known?.key === key || !settled) return before;
  const {status} = server;
  diagnoses.set(server.serverId, {key, status, found: before});
  api(`doctor/${encodeURIComponent(server.serverId)}`).then((found) => {
    if (diagnoses.get(server.serverId)?.key !== key) return;
    diagnoses.set(server.serverId, {key, status, found});
    const card = cards.get(server.serverId);
    if (card) drawCard(card);
  }, () => diagnoses.delete(server.serverId));
  return before;
}

function filtered(server) {
  if (!server.filtered?.length) return null;
  return h('details', {class: 'note'}, h('summary', {}, `${plural(server.filtered.length, 'tool')} filtered by the configuration`),
    h('ul', {}, server.filtered.map((name) => h('li', {}, h('code', {}, name)))));
}

function withheld(server) {
  if (!server.withheld?.length) return null;
  return h('details', {class: 'note'}, h('summary', {}, `${plural(server.withheld.length, 'thing')} withheld from clients`),
    h('ul', {}, server.withheld.map((it) => h('li', {}, h('code', {}, `${it.kind} ${it.name}`), ` ${it.reason}`))));
}
