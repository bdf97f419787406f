// The event stream. It is read with fetch, because an EventSource cannot send a token.
import {request, Refused} from './access.js';

const PAUSE_MIN = 500;
const PAUSE_MAX = 10_000;

/** A browser opens at most six connections to a host, so a hidden page closes its stream. */
const HIDDEN_MAX = 10_000;

let stream = new AbortController();
let resting = false;
let wake = () => {};

function rest() {
  resting = true;
  stream.abort();
}

function resume() {
  resting = false;
  wake();
}

let hidden;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hidden);
  if (document.hidden) hidden = setTimeout(rest, HIDDEN_MAX);
  else resume();
});
// The browser may keep a page in its cache and show it again on "back".
window.addEventListener('pagehide', rest);
window.addEventListener('pageshow', (event) => { if (event.persisted) resume(); });

/** Reads events for ever. Reports each interruption and reconnects after a pause. */
export async function follow({opened, closed, refused, event}) {
  let pause = PAUSE_MIN;
  for (;;) {
    if (resting) await new Promise((resolve) => { wake = resolve; });
    stream = new AbortController();
    try {
      const response = await request('/api/events', {headers: {Accept: 'text/event-stream'}, signal: stream.signal});
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      for await (const data of events(response.body)) {
        const message = JSON.parse(data);
        if (message.type === 'hello') {
          pause = PAUSE_MIN;
          await opened();
        } else event(message);
      }
    } catch (problem) {
      if (problem instanceof Refused) {
        refused();
        return;
      }
      if (problem.name !== 'AbortError') console.warn('The stream of events ended:', problem);
    }
    closed(resting);
    if (resting) continue;
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(PAUSE_MAX, pause * 2);
  }
}

/** The data of each event in a body. */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    rest += value;
    let end = rest.indexOf('\n\n');
    while (end >= 0) {
      const data = rest.slice(0, end).split('\n').filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, '')).join('\n');
      rest = rest.slice(end + 2);
      if (data) yield data;
      end = rest.indexOf('\n\n');
    }
  }
}
