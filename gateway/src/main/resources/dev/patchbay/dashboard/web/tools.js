// The view of the tools: search, list, and the sheet of the one that is open.
import {h, fill, arrange, keeper} from './dom.js';
import {store} from './store.js';
import {toolSheet} from './console.js';
import {go} from './main.js';

const SHOWN_MAX = 400;
let rows;
let search;
let pane;
let split;
let openName;
let openDefinition;
let keep;

export function toolsView() {
  search = h('input', {type: 'search', id: 'search', placeholder: 'Search tools', 'aria-label': 'Search tools', autocomplete: 'off', oninput: draw});
  rows = h('div', {class: 'rows', role: 'listbox', 'aria-label': 'Tools'});
  pane = h('div', {class: 'pane'});
  split = h('div', {class: 'split', 'data-open': 'false'},
    h('section', {class: 'card list', 'aria-label': 'Tools'}, h('div', {class: 'tools-head'}, search), rows), pane);
  openName = undefined;
  keep = keeper((item) => typeof item === 'string' ? h('div', {class: 'group', role: 'presentation'}, item) : row(item));
  draw();
  return split;
}

/** Opens a tool, or the search for a server's tools. */
export function show(name, query, preset) {
  const server = query.get('server');
  if (server !== null) search.value = `${server}.`;
  openName = name || undefined;
  openDefinition = undefined;
  split.dataset.open = String(Boolean(openName));
  draw(preset);
}

function draw(preset) {
  if (!rows?.isConnected && !split) return;
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = store.tools.filter((tool) => words.every((word) => matches(tool, word)));
  const items = [];
  let server;
  for (const tool of found.slice(0, SHOWN_MAX)) {
    if (tool.serverId !== server) {
      server = tool.serverId;
      items.push({key: `server ${server}`, item: server});
    }
    items.push({key: `tool ${tool.fullName}`, state: rowState(tool), item: tool});
  }
  const nodes = keep(items);
  if (found.length > SHOWN_MAX) nodes.push(h('p', {class: 'empty'}, `${found.length - SHOWN_MAX} more. Search for them.`));
  if (found.length === 0) nodes.push(h('p', {class: 'empty'}, store.tools.length === 0 ? 'No tools are available.' : 'No matching tools.'));
  arrange(rows, nodes);
  drawPane(preset instanceof Event ? undefined : preset);
}

export function redraw() {
  if (split?.isConnected) draw();
}

function matches(tool, word) {
  return tool.fullName.toLowerCase().includes(word) || String(tool.definition?.description ?? '').toLowerCase().includes(word);
}

const rowState = (tool) => [tool.available, tool.fullName === openName, tool.definition?.description].join();

function row(tool) {
  return h('a', {
    class: tool.available ? 'row' : 'row away', role: 'option', href: `#/tools/${encodeURIComponent(tool.fullName)}`,
    'data-item': '', 'data-tool': tool.fullName, 'aria-selected': String(tool.fullName === openName),
  }, h('div', {class: 'name'}, tool.toolName), h('div', {class: 'about'}, String(tool.definition?.description ?? '')));
}

/** Keeps the form while the tool does not change: the user may be typing in it. */
function drawPane(preset) {
  const tool = store.tools.find((it) => it.fullName === openName);
  if (!openName) {
    openDefinition = undefined;
    fill(pane, h('p', {class: 'card empty'}, 'Select a tool to call it.'));
  } else if (!tool) {
    openDefinition = undefined;
    fill(pane, h('p', {class: 'card empty'}, `${openName} is not available.`));
  } else {
    const definition = JSON.stringify([tool.definition, tool.available]);
    if (definition !== openDefinition) fill(pane, toolSheet(tool, () => go('#/tools'), preset));
    openDefinition = definition;
  }
}
