// An MCP client in the browser: it uses /mcp like any other client, and keeps the messages.
import {request} from './access.js';
import {events} from './live.js';

const VERSION = '2026-07-28';
let lastId = 0;

/**
 * Calls a tool with arguments given as JSON text. Sent and received messages are kept as
 * raw text; `outcome` is the last message, parsed.
 */
export async function callTool(tool, argumentsText, version, signal) {
  lastId += 1;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': {name: 'patchbay-dashboard', version},
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  // Assembled as text, so that numbers are sent as they were typed.
  const body = `{"jsonrpc":"2.0","id":${lastId},"method":"tools/call","params":{"name":${JSON.stringify(tool.fullName)},"arguments":${argumentsText},"_meta":${JSON.stringify(meta)}}}`;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': VERSION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': headerText(tool.fullName),
    ...paramHeaders(tool.inputSchema, JSON.parse(argumentsText)),
  };
  const began = performance.now();
  const response = await request('/mcp', {method: 'POST', headers, body, signal});
  const messages = [];
  if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    for await (const data of events(response.body)) messages.push(data);
  } else messages.push(await response.text());
  return {
    request: body,
    messages,
    status: response.status,
    micros: Math.round((performance.now() - began) * 1000),
    outcome: JSON.parse(messages.at(-1)),
  };
}

/** Copies the arguments that the schema marks to headers. */
function paramHeaders(schema, values) {
  const headers = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const value = values?.[name];
    if (value === undefined || value === null || typeof property !== 'object') continue;
    const mark = property?.['x-mcp-header'];
    if (typeof mark === 'string' && typeof value !== 'object') headers[`Mcp-Param-${mark}`] = headerText(String(value));
    if (typeof value === 'object') Object.assign(headers, paramHeaders(property, value));
  }
  return headers;
}

function headerText(text) {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) return text;
  const binary = String.fromCharCode(...new TextEncoder().encode(text));
  return `=?base64?${btoa(binary)}?=`;
}
