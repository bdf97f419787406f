// The state of the page, and listeners for its changes.

const CALLS_MAX = 512;

export const store = {
  overview: {version: '', stepsMax: 120, clients: {}, sessions: 0},
  /** By id, in the order of ids. */
  servers: new Map(),
  tools: [],
  /** The newest first. */
  calls: [],
};

const listeners = new Map();

/** Registers a listener for a topic: servers, tools, calls. */
export function on(topic, action) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(action);
}

export function changed(topic, what) {
  listeners.get(topic)?.forEach((action) => action(what));
}

export function setOverview(overview) {
  store.overview = overview;
  store.servers = new Map(overview.servers.map((server) => [server.serverId, server]));
  changed('servers');
}

/** Replaces servers that changed and keeps their history. */
export function updateServers(servers, removed) {
  for (const server of servers) {
    const known = store.servers.get(server.serverId);
    store.servers.set(server.serverId, {...server, history: known?.history ?? {calls: [], errors: [], latencyMicros: []}});
  }
  removed.forEach((id) => store.servers.delete(id));
  store.servers = new Map([...store.servers].sort(([a], [b]) => a < b ? -1 : 1));
  changed('servers');
}

/** Adds one step to the history of every server, and what clients did by now. */
export function addStep(steps, clients) {
  store.overview.clients = clients;
  for (const [id, step] of Object.entries(steps)) {
    const history = store.servers.get(id)?.history;
    if (!history) continue;
    for (const series of ['calls', 'errors', 'latencyMicros']) {
      history[series] = [...history[series], ...step[series]].slice(-store.overview.stepsMax);
    }
  }
  changed('servers');
}

export function setTools(tools) {
  store.tools = tools;
  changed('tools');
}

export function setCalls(oldestFirst) {
  store.calls = oldestFirst.toReversed();
  changed('calls');
}

export function addCalls(oldestFirst) {
  const known = store.calls[0]?.number ?? -1;
  const fresh = oldestFirst.filter((call) => call.number > known).toReversed();
  store.calls = [...fresh, ...store.calls].slice(0, CALLS_MAX);
  changed('calls');
}
