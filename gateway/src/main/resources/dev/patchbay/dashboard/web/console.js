// The call console of one tool: its form, the call, and what went over the wire.
import {h, fill} from './dom.js';
import {callTool} from './mcp.js';
import {objectForm} from './form.js';
import {store} from './store.js';
import {micros, bytes, indented, plural} from './format.js';

/** More than this of a message would make the browser slow. */
const SHOWN_CHARS_MAX = 100_000;

/** The console of a tool; its form can be filled in advance. */
export function toolSheet(tool, back, preset) {
  const form = objectForm(tool.inputSchema);
  const raw = h('textarea', {class: 'raw', rows: 8, spellcheck: 'false', 'aria-label': 'Arguments as JSON', hidden: true});
  const toggle = h('button', {type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: () => switchTo(raw.hidden)}, 'Arguments as JSON');
  const send = h('button', {class: 'primary', type: 'submit'}, 'Call');
  const cancel = h('button', {type: 'button', hidden: true}, 'Cancel');
  const fault = h('span', {class: 'fault', role: 'alert'});
  const answer = h('div', {'aria-live': 'polite'});
  const noArguments = h('p', {class: 'muted form'}, 'This tool takes no arguments.');

  function switchTo(text) {
    try {
      if (text) raw.value = indented(form.read()).map((part) => part.text).join('');
      else form.write(JSON.parse(raw.value));
    } catch (problem) {
      if (!text) {
        fault.textContent = problem.message;
        return;
      }
      raw.value = '{}';
    }
    fault.textContent = '';
    raw.hidden = !text;
    form.element.hidden = text;
    toggle.setAttribute('aria-pressed', String(text));
  }

  async function call(event) {
    event.preventDefault();
    fault.textContent = '';
    let given;
    try {
      given = raw.hidden ? form.read() : raw.value.trim() || '{}';
      JSON.parse(given);
    } catch (problem) {
      fault.textContent = problem.message;
      return;
    }
    const stop = new AbortController();
    cancel.onclick = () => stop.abort();
    send.disabled = true;
    cancel.hidden = false;
    try {
      fill(answer, exchange(await callTool(tool, given, store.overview.version, stop.signal)));
    } catch (problem) {
      fault.textContent = problem.name === 'AbortError' ? 'Cancelled.' : `No response from the gateway: ${problem.message}`;
    } finally {
      send.disabled = false;
      cancel.hidden = true;
    }
  }

  if (preset !== undefined) form.write(preset);
  const body = h('form', {
    onsubmit: call,
    onkeydown: (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) body.requestSubmit(); },
  }, form.isEmpty ? noArguments : form.element, raw,
  h('div', {class: 'form-foot'}, send, cancel, fault, h('span', {class: 'spacer'}), toggle));
  return h('section', {class: 'card sheet', 'aria-label': tool.fullName}, head(tool, back), body, answer, schemas(tool));
}

function head(tool, back) {
  const definition = tool.definition ?? {};
  const hints = definition.annotations ?? {};
  const chips = [
    hints.readOnlyHint === true ? 'read-only' : null,
    hints.destructiveHint === true && hints.readOnlyHint !== true ? 'destructive' : null,
    hints.idempotentHint === true ? 'idempotent' : null,
    hints.openWorldHint === true ? 'open world' : null,
  ].filter(Boolean);
  return h('div', {},
    h('div', {class: 'sheet-head'}, h('button', {class: 'quiet back', type: 'button', onclick: back}, '‹ Tools'),
      h('h2', {}, tool.fullName),
      chips.map((chip) => h('span', {class: chip === 'destructive' ? 'chip bad' : 'chip', title: 'Declared by the server'}, chip)),
      tool.available ? null : h('span', {class: 'chip bad'}, 'server not connected')),
    definition.title ? h('p', {class: 'muted'}, String(definition.title)) : null,
    h('p', {class: 'prose'}, String(definition.description ?? 'The server gives no description.')));
}

function schemas(tool) {
  return h('details', {class: 'note'}, h('summary', {}, 'Definition'), code(JSON.stringify(tool.definition)));
}

/** The result, and below it the messages. */
function exchange(seen) {
  const {outcome} = seen;
  const failed = outcome.error !== undefined || outcome.result?.isError === true;
  return h('div', {},
    h('div', {class: failed ? 'answer bad' : 'answer', 'data-outcome': failed ? 'error' : 'ok'},
      h('p', {}, h('strong', {}, failed ? 'Failed' : 'Done'), h('span', {class: 'muted'}, ` in ${micros(seen.micros)}, HTTP ${seen.status}`)),
      contents(outcome)),
    wire('Request', [seen.request]), wire('Response', seen.messages));
}

function contents(outcome) {
  if (outcome.error) return [h('pre', {}, `${outcome.error.code} ${outcome.error.message}`)];
  const blocks = outcome.result?.content;
  return Array.isArray(blocks) ? blocks.map((block) => typeof block?.text === 'string' ? h('pre', {}, block.text.slice(0, SHOWN_CHARS_MAX))
    : h('p', {class: 'muted'}, `[${block?.type ?? 'unknown'} ${block?.mimeType ?? block?.uri ?? ''}]`)) : [];
}

/** Messages as sent and received, formatted or raw. */
export function wire(title, texts, cutNote) {
  const size = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  const body = h('div', {});
  const shown = (text) => text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)} …` : text;
  const show = (laidOut) => fill(body, texts.map(shown).map((text) => laidOut ? code(text) : h('pre', {class: 'code'}, text)));
  const toggle = h('button', {type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: () => {
    const now = toggle.getAttribute('aria-pressed') !== 'true';
    toggle.setAttribute('aria-pressed', String(now));
    show(!now);
  }}, 'Raw');
  show(true);
  return h('section', {class: 'wire', 'aria-label': title},
    h('div', {class: 'wire-head'}, h('h3', {}, title),
      h('span', {class: 'muted'}, cutNote ?? (texts.length > 1 ? `${plural(texts.length, 'message')}, ${bytes(size)}` : bytes(size))), h('span', {class: 'spacer'}), toggle), body);
}

function code(text) {
  return h('pre', {class: 'code'}, indented(text).map((part) => part.kind ? h('span', {class: part.kind}, part.text) : part.text));
}
