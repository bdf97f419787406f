// Times, sizes and JSON in the form that people read.

/** The gateway's clock, which may differ from the browser's. */
let aheadMillis = 0;
let heard = Date.now();
export function setClock(now) {
  heard = Date.parse(now);
  aheadMillis = heard - Date.now();
}

/** The time of the gateway's last message, by the gateway's clock. */
export const lastHeard = () => heard;
export const nowMillis = () => Date.now() + aheadMillis;

export function ago(instant) {
  if (!instant) return 'never';
  const seconds = Math.max(0, (nowMillis() - Date.parse(instant)) / 1000);
  return seconds < 2 ? 'just now' : `${span(seconds)} ago`;
}

export function since(instant) {
  return instant ? span(Math.max(0, (nowMillis() - Date.parse(instant)) / 1000)) : '–';
}

function span(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor(seconds % 86400 / 3600)} h`;
}

export function micros(value) {
  if (value === undefined || value === null || value < 0) return '–';
  if (value < 1000) return `${value} µs`;
  if (value < 10_000) return `${(value / 1000).toFixed(1)} ms`;
  if (value < 1_000_000) return `${Math.round(value / 1000)} ms`;
  return `${(value / 1_000_000).toFixed(value < 10_000_000 ? 2 : 1)} s`;
}

export function bytes(value) {
  if (value < 1024) return `${value} B`;
  return value < 1024 * 1024 ? `${(value / 1024).toFixed(1)} KiB` : `${(value / 1024 / 1024).toFixed(1)} MiB`;
}

export function clock(instant) {
  return new Date(instant).toLocaleTimeString([], {hour12: false});
}

export const number = (value) => value.toLocaleString('en');

export const plural = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;

/**
 * The tokens of a JSON text with line breaks and indents between them. The text is not parsed into
 * values, so that numbers stay as they were written; a text that was cut off is no problem.
 */
export function indented(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs) ?? [];
  const parts = [];
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.max(0, depth))}`;
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token === '{' || token === '[') {
      const empty = next === '}' || next === ']';
      depth += 1;
      parts.push({text: empty ? token : token + line()});
    } else if (token === '}' || token === ']') {
      depth -= 1;
      const empty = tokens[at - 1] === '{' || tokens[at - 1] === '[';
      parts.push({text: empty ? token : line() + token});
    } else if (token === ',') parts.push({text: token + line()});
    else if (token === ':') parts.push({text: ': '});
    else if (token.startsWith('"')) parts.push({text: token, kind: next === ':' ? 'j-name' : 'j-text'});
    else parts.push({text: token, kind: 'j-word'});
  });
  return parts;
}
