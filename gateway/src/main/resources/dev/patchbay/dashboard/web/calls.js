// The view of the calls: the live log, filters, and the request and response of one call.
import {h, fill, arrange, keeper} from './dom.js';
import {api} from './access.js';
import {store} from './store.js';
import {wire} from './console.js';
import {clock, micros, bytes} from './format.js';
import {go} from './main.js';

const SHOWN_MAX = 200;
let rows;
let search;
let servers;
let onlyErrors;
let pane;
let split;
let openNumber;
let keep;

export function callsView() {
  search = h('input', {type: 'search', id: 'search', placeholder: 'Filter by tool, client, outcome', 'aria-label': 'Filter calls', autocomplete: 'off', oninput: draw});
  servers = h('select', {'aria-label': 'Server', onchange: draw});
  onlyErrors = h('button', {type: 'button', 'aria-pressed': 'false', onclick: () => {
    onlyErrors.setAttribute('aria-pressed', String(onlyErrors.getAttribute('aria-pressed') !== 'true'));
    draw();
  }}, 'Only failed');
  rows = h('div', {class: 'rows', role: 'listbox', 'aria-label': 'Calls'});
  pane = h('div', {class: 'pane'});
  split = h('div', {class: 'split', 'data-open': 'false'},
    h('section', {class: 'card list', 'aria-label': 'Calls'}, h('div', {class: 'tools-head'}, search, h('div', {class: 'filters'}, servers, onlyErrors)), rows), pane);
  openNumber = undefined;
  keep = keeper(row);
  draw();
  fill(pane, h('p', {class: 'card empty'}, 'Select a call to see its request and response.'));
  return split;
}

export async function show(number) {
  openNumber = number === '' ? undefined : Number(number);
  split.dataset.open = String(openNumber !== undefined);
  draw();
  if (openNumber === undefined) {
    fill(pane, h('p', {class: 'card empty'}, 'Select a call to see its request and response.'));
    return;
  }
  try {
    const call = await api(`calls/${openNumber}`);
    if (call.number === openNumber) fill(pane, sheet(call));
  } catch (problem) {
    fill(pane, h('p', {class: 'card empty'}, problem.message));
  }
}

export function redraw() {
  if (split?.isConnected) draw();
}

function draw() {
  drawServers();
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const errors = onlyErrors.getAttribute('aria-pressed') === 'true';
  const found = store.calls.filter((call) => (!errors || call.isError) && (servers.value === '' || call.serverId === servers.value)
    && words.every((word) => `${name(call)} ${call.client} ${call.outcome} ${call.method}`.toLowerCase().includes(word)));
  const shown = found.slice(0, SHOWN_MAX).map((call) => ({key: call.number, state: call.number === openNumber, item: call}));
  arrange(rows, [keep(shown), found.length === 0 ? h('p', {class: 'empty'}, store.calls.length === 0 ? 'No calls yet. They appear here when they end.' : 'No matching calls.') : null]);
}

function drawServers() {
  const ids = [...new Set([...store.servers.keys(), ...store.calls.map((call) => call.serverId)])].filter(Boolean).sort();
  if (servers.dataset.ids === ids.join()) return;
  const chosen = servers.value;
  servers.dataset.ids = ids.join();
  fill(servers, h('option', {value: ''}, 'All servers'), ids.map((id) => h('option', {value: id}, id)));
  servers.value = ids.includes(chosen) ? chosen : '';
}

function name(call) {
  const target = call.serverId ? `${call.serverId}.${call.target}` : call.target;
  return call.method === 'tools/call' ? target : `${call.method} ${target}`;
}

function mark(call) {
  if (call.isError) return h('span', {class: 'mark bad', role: 'img', 'aria-label': 'failed'}, '✕');
  if (call.outcome === 'cancelled') return h('span', {class: 'mark off', role: 'img', 'aria-label': 'cancelled'}, '–');
  return h('span', {class: 'mark ok', role: 'img', 'aria-label': 'ok'}, '✓');
}

function row(call) {
  return h('a', {
    class: 'row call-row', role: 'option', href: `#/calls/${call.number}`, 'data-item': '', 'data-call': call.number,
    'data-outcome': call.outcome, 'aria-selected': String(call.number === openNumber),
  }, mark(call), h('span', {class: 'name'}, name(call)), h('span', {class: 'muted'}, micros(call.micros)),
  h('div', {class: 'sub'}, h('span', {}, clock(call.at)), h('span', {}, call.client || 'unnamed client'), call.outcome === 'ok' ? null : h('span', {}, call.outcome)));
}

function sheet(call) {
  const again = call.method === 'tools/call' && !call.params.cut && store.tools.some((tool) => tool.fullName === name(call));
  return h('section', {class: 'card sheet', 'aria-label': `Call ${call.number}`},
    h('div', {class: 'sheet-head'}, h('button', {class: 'quiet back', type: 'button', onclick: () => go('#/calls')}, '‹ Calls'),
      mark(call), h('h2', {}, name(call)), h('span', {class: call.isError ? 'chip bad' : 'chip'}, call.outcome)),
    h('dl', {class: 'facts spaced'},
      fact('Started', `${new Date(call.at).toLocaleString([], {hour12: false})}`), fact('Duration', micros(call.micros)), fact('Client', call.client || 'unnamed'), fact('Method', call.method),
      call.traceId ? fact('Trace', trace(call)) : null),
    call.error ? h('p', {class: 'trouble'}, call.error) : null,
    wire('Request params', [call.params.text], cut(call.params)),
    call.result ? wire(call.outcome === 'rpc_error' ? 'Error data' : 'Result', [call.result.text], cut(call.result)) : null,
    again ? h('div', {class: 'form-foot'}, h('button', {type: 'button', onclick: () => callAgain(call)}, 'Open in the console')) : null);
}

const fact = (title, value) => h('div', {}, h('dt', {}, title), h('dd', {}, value));
const trace = (call) => call.traceUrl ? h('a', {href: call.traceUrl, rel: 'noreferrer', target: '_blank'}, call.traceId) : h('code', {}, call.traceId);
const cut = (part) => part.cut ? `first part of ${bytes(part.bytes)}` : bytes(part.bytes);

function callAgain(call) {
  let preset;
  try {
    preset = JSON.parse(call.params.text).arguments;
  } catch {
    preset = undefined;
  }
  go(`#/tools/${encodeURIComponent(name(call))}`, preset);
}
