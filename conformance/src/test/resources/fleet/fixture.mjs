// The server that the official conformance suite wants to see behind the gateway: its tools, prompts
// and resources, over stdio, in the era that the first argument names: legacy, modern or both. With
// both, the first request but server/discover decides, as with the official SDK, and the tools that
// ask while a call runs work in the legacy era only. Two tools more, wait and cancellations, are for
// the tests of real clients. It uses no SDK, so that what it says is all here.
import { createHmac, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const both = process.argv[2] === 'both';
let era = both || process.argv[2] === 'modern' ? 'modern' : 'legacy';
const MODERN = '2026-07-28';
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const META = 'io.modelcontextprotocol/';
const INFO = { name: 'conformance-fixture', version: '1.0.0' };
const CAPABILITIES = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    logging: {},
    completions: {},
};
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const write = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const notify = (method, params) => write({ method, params });

/** An error that the client is told as it is. */
class Refusal extends Error {
    constructor(code, message, data) {
        super(message);
        this.code = code;
        this.data = data;
    }
}

/** What a request of the modern era ends with when it needs an answer of the client first. */
class InputRequired extends Error {
    constructor(inputRequests, requestState) {
        super('Input required');
        this.result = { resultType: 'input_required', inputRequests, requestState };
    }
}

// --- What a request may ask of its client ---------------------------------------------------------

const secret = randomBytes(32);
const seal = text => `${text}.${createHmac('sha256', secret).update(text).digest('hex')}`;

function unseal(state) {
    const text = state.slice(0, state.indexOf('.'));
    if (seal(text) !== state) {
        throw new Refusal(-32602, 'The request state is not one of ours');
    }
    return text;
}

const asked = new Map(); // what a legacy client was asked and has not answered yet
let lastAsked = 0;
let sessionCapabilities = {};
let sessionLevel = 'info';

function askLegacy(method, params) {
    const id = `fixture-${++lastAsked}`;
    return new Promise((resolve, reject) => {
        asked.set(id, { resolve, reject });
        write({ id, method, params });
    });
}

const kindOf = method => method.slice(0, method.indexOf('/'));

function fits(question, answer) {
    if (answer === null || typeof answer !== 'object') {
        return false;
    }
    const wanted = question.params.requestedSchema?.required ?? [];
    return (
        question.method !== 'elicitation/create' ||
        answer.action !== 'accept' ||
        wanted.every(name => answer.content?.[name] !== undefined)
    );
}

/** One request: its arguments, its client's capabilities, and the ways to speak to that client. */
const legacyTools = new Set([
    'test_sampling',
    'test_elicitation',
    'test_elicitation_sep1034_defaults',
    'test_elicitation_sep1330_enums',
]);

class Context {
    constructor(params, cancelled) {
        this.params = params;
        this.cancelled = cancelled;
        this.meta = params._meta ?? {};
        this.modern = this.meta[`${META}protocolVersion`] !== undefined;
        this.capabilities = this.modern
            ? this.meta[`${META}clientCapabilities`]
            : sessionCapabilities;
        this.state = params.requestState === undefined ? '' : unseal(params.requestState);
    }

    /** The answers to these questions by their keys. A state is kept in between where it is given. */
    async ask(questions, state) {
        if (both && this.modern && legacyTools.has(this.params.name)) {
            throw new Refusal(-32603, 'Requests to the client do not exist in this era');
        }
        const list = Object.entries(questions);
        for (const [, question] of list) {
            if (this.capabilities[kindOf(question.method)] === undefined) {
                throw new Refusal(-32021, `The client cannot do ${question.method}`, {
                    requiredCapabilities: { [kindOf(question.method)]: {} },
                });
            }
        }
        if (!this.modern) {
            const answers = await Promise.all(list.map(([, q]) => askLegacy(q.method, q.params)));
            return Object.fromEntries(list.map(([key], i) => [key, answers[i]]));
        }
        const answers = this.params.inputResponses ?? {};
        if (list.every(([key, question]) => fits(question, answers[key]))) {
            return answers;
        }
        throw new InputRequired(questions, state === undefined ? undefined : seal(state));
    }

    log(level, data) {
        const least = this.modern ? this.meta[`${META}logLevel`] : sessionLevel;
        if (least !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(least)) {
            notify('notifications/message', { level, logger: 'fixture', data });
        }
    }

    progress(progress, total) {
        if (this.meta.progressToken !== undefined) {
            const { progressToken } = this.meta;
            notify('notifications/progress', { progressToken, progress, total });
        }
    }
}

const elicit = (message, properties, required = Object.keys(properties)) => ({
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
});
const sample = (text, maxTokens) => ({
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
});
const listRoots = () => ({ method: 'roots/list', params: {} });

// --- Tools ----------------------------------------------------------------------------------------

const text = value => ({ content: [{ type: 'text', text: value }] });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri, mimeType, value) => ({
    type: 'resource',
    resource: { uri, mimeType, text: value },
});
const completed = ({ action, content }) =>
    text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
const schema = properties => ({ type: 'object', properties, required: Object.keys(properties) });

const working = new Map(); // what cancels the requests at work by their ids
let cancellations = 0;

const tools = new Map();
const tool = (name, run, inputSchema = { type: 'object' }) => tools.set(name, { run, inputSchema });

tool('test_simple_text', () => text('This is a simple text response for testing.'));
tool('test_image_content', () => ({ content: [image] }));
tool('test_audio_content', () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
}));
tool('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'An embedded resource.')],
}));
tool('test_multiple_content_types', () => ({
    content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data"}'),
    ],
}));
tool('test_error_handling', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
}));
tool('test_tool_with_logging', async (_, context) => {
    for (const step of ['started', 'at work', 'completed']) {
        context.log('info', `Tool ${step}`);
        await pause(50);
    }
    return text('Logged three times');
});
tool('test_logging_tool', (_, context) => {
    context.log('info', 'Only for those who asked for it');
    return text('Logged where it was wanted');
});
tool('test_tool_with_progress', async (_, context) => {
    for (const step of [0, 50, 100]) {
        context.progress(step, 100);
        // A client that finds progress and answer in one piece may give up the progress.
        await pause(300);
    }
    return text('Progressed three times');
});
tool('test_reconnection', async () => {
    await pause(200);
    return text('Answered after a while');
});
tool('wait', async (_, context) => {
    context.progress(0, 1);
    await pause(60_000, undefined, { signal: context.cancelled }).catch(() => cancellations++);
    return text('Waited');
});
tool('cancellations', () => text(`${cancellations}`));
tool('test_streaming_elicitation', () => text('Nothing was asked'));
tool('test_x_mcp_header', ({ region }) => text(`region=${region}`), {
    type: 'object',
    properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        level: { type: 'integer' },
    },
});
tool('json_schema_2020_12_tool', given => text(JSON.stringify(given)), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
        address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
    },
    properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
});

tool(
    'test_sampling',
    async ({ prompt }, context) => {
        const { answer } = await context.ask({ answer: sample(prompt, 100) });
        return text(`LLM response: ${answer.content.text}`);
    },
    schema({ prompt: { type: 'string' } }),
);
tool(
    'test_elicitation',
    async ({ message }, context) => {
        const properties = { username: { type: 'string' }, email: { type: 'string' } };
        const { answer } = await context.ask({ answer: elicit(message, properties) });
        return text(`User response: ${JSON.stringify(answer)}`);
    },
    schema({ message: { type: 'string' } }),
);
tool('test_elicitation_sep1034_defaults', async (_, context) => {
    const properties = {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
    };
    const { answer } = await context.ask({ answer: elicit('With defaults', properties, []) });
    return completed(answer);
});
tool('test_elicitation_sep1330_enums', async (_, context) => {
    const options = ['option1', 'option2', 'option3'];
    const titled = ['First', 'Second', 'Third'].map((title, i) => ({
        const: `value${i + 1}`,
        title,
    }));
    const properties = {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
    };
    const { answer } = await context.ask({ answer: elicit('With choices', properties, []) });
    return completed(answer);
});
tool('test_missing_capability', async (_, context) => {
    const { answer } = await context.ask({ answer: sample('Say pong', 16) });
    return text(`The model said ${answer.content.text}`);
});

const userName = () => elicit('What is your name?', { name: { type: 'string' } });
const confirm = () => elicit('Please confirm', { ok: { type: 'boolean' } });

tool('test_input_required_result_elicitation', async (_, context) => {
    const { user_name } = await context.ask({ user_name: userName() });
    return text(`Hello, ${user_name.content.name}!`);
});
tool('test_input_required_result_sampling', async (_, context) => {
    const { capital_question } = await context.ask({
        capital_question: sample('What is the capital of France?', 100),
    });
    return text(`The model said ${capital_question.content.text}`);
});
tool('test_input_required_result_list_roots', async (_, context) => {
    const { client_roots } = await context.ask({ client_roots: listRoots() });
    return text(`Roots: ${client_roots.roots.map(root => root.uri).join(', ')}`);
});
tool('test_input_required_result_request_state', async (_, context) => {
    await context.ask({ confirm: confirm() }, 'asked');
    if (context.modern && context.state !== 'asked') {
        throw new Refusal(-32602, 'The request state is missing');
    }
    return text('state-ok');
});
tool('test_input_required_result_tampered_state', async (_, context) => {
    await context.ask({ confirm: confirm() }, 'asked');
    return text('The state was as it should be');
});
tool('test_input_required_result_multiple_inputs', async (_, context) => {
    const { user_name, greeting, client_roots } = await context.ask(
        {
            user_name: userName(),
            greeting: sample('Generate a greeting', 50),
            client_roots: listRoots(),
        },
        'asked',
    );
    return text(
        `${greeting.content.text}, ${user_name.content.name}, of ${client_roots.roots.length} roots`,
    );
});
tool('test_input_required_result_multi_round', async (_, context) => {
    const step1 = { step1: elicit('Step 1: What is your name?', { name: { type: 'string' } }) };
    const step2 = {
        step2: elicit('Step 2: What is your favorite color?', { color: { type: 'string' } }),
    };
    if (!context.modern) {
        await context.ask(step1);
        return completed((await context.ask(step2)).step2);
    }
    if (context.state !== 'two') {
        await context.ask(step1, 'one');
        throw new InputRequired(step2, seal('two'));
    }
    return completed((await context.ask(step2, 'two')).step2);
});
tool('test_input_required_result_capabilities', async (_, context) => {
    const all = { capital_question: sample('Of which capital?', 10), user_name: userName() };
    const able = Object.entries(all).filter(
        ([, question]) => context.capabilities[kindOf(question.method)] !== undefined,
    );
    if (context.modern) {
        return text(JSON.stringify(await context.ask(Object.fromEntries(able))));
    }
    const answers = await Promise.allSettled(able.map(([key, q]) => context.ask({ [key]: q })));
    return text(JSON.stringify(answers.map(answer => answer.status)));
});

// --- Prompts and resources ------------------------------------------------------------------------

const says = content => ({ messages: [{ role: 'user', content }] });
const prompts = new Map();
const prompt = (name, run, ...names) =>
    prompts.set(name, { run, arguments: names.map(name => ({ name, required: true })) });

prompt('test_simple_prompt', () => says(text('A simple prompt.').content[0]));
prompt(
    'test_prompt_with_arguments',
    ({ arg1, arg2 }) => says({ type: 'text', text: `With '${arg1}' and '${arg2}'` }),
    'arg1',
    'arg2',
);
prompt(
    'test_prompt_with_embedded_resource',
    ({ resourceUri }) => says(resource(resourceUri, 'text/plain', 'Embedded in a prompt.')),
    'resourceUri',
);
prompt('test_prompt_with_image', () => says(image));
prompt('test_input_required_result_prompt', async (_, context) => {
    const { user_context } = await context.ask({
        user_context: elicit('What context?', { context: { type: 'string' } }),
    });
    return says({ type: 'text', text: `In the context of ${user_context.content.context}` });
});

const resources = new Map([
    ['test://static-text', { mimeType: 'text/plain', text: 'The content of a static text.' }],
    ['test://static-binary', { mimeType: 'image/png', blob: PNG }],
    ['test://watched-resource', { mimeType: 'text/plain', text: 'Watched.' }],
]);

function read({ uri }) {
    const known = resources.get(uri);
    if (known !== undefined) {
        return { contents: [{ uri, ...known }] };
    }
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id === undefined) {
        throw new Refusal(era === 'modern' ? -32602 : -32002, 'No such resource', { uri });
    }
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }] };
}

// --- Lists that change ----------------------------------------------------------------------------

const listeners = new Map(); // the filters of open subscriptions/listen by their ids
const MARK = `${META}subscriptionId`;

function announce(kind) {
    const method = `notifications/${kind}/list_changed`;
    if (era === 'legacy') {
        notify(method);
    }
    for (const [id, filter] of listeners) {
        if (filter[`${kind}ListChanged`] === true) {
            notify(method, { _meta: { [MARK]: id } });
        }
    }
}

function toggle(map, kind, name, entry) {
    if (!map.delete(name)) {
        map.set(name, entry);
    }
    announce(kind);
    return text('Changed');
}

tool('test_trigger_tool_change', () =>
    toggle(tools, 'tools', 'test_extra_tool', {
        run: () => text('Here for now'),
        inputSchema: { type: 'object' },
    }),
);
tool('test_trigger_prompt_change', () =>
    toggle(prompts, 'prompts', 'test_extra_prompt', {
        run: () => says({ type: 'text', text: 'Here for now' }),
        arguments: [],
    }),
);

// --- Methods --------------------------------------------------------------------------------------

function found(map, name) {
    const entry = map.get(name);
    if (entry === undefined) {
        throw new Refusal(-32602, `There is no ${name}`);
    }
    return entry;
}

const cached = result => (era === 'modern' ? { ...result, ttlMs: 1000, cacheScope: 'public' } : result);
const described = (name, rest) => ({ name, description: `The conformance fixture ${name}`, ...rest });

const shared = {
    'tools/list': () =>
        cached({
            tools: [...tools].map(([name, { inputSchema }]) => described(name, { inputSchema })),
        }),
    'tools/call': (params, context) => found(tools, params.name).run(params.arguments ?? {}, context),
    'prompts/list': () =>
        cached({
            prompts: [...prompts].map(([name, entry]) => described(name, { arguments: entry.arguments })),
        }),
    'prompts/get': (params, context) =>
        found(prompts, params.name).run(params.arguments ?? {}, context),
    'resources/list': () =>
        cached({
            resources: [...resources].map(([uri, { mimeType }]) =>
                described(uri.slice('test://'.length), { uri, mimeType }),
            ),
        }),
    'resources/templates/list': () =>
        cached({
            resourceTemplates: [
                described('data', {
                    uriTemplate: 'test://template/{id}/data',
                    mimeType: 'application/json',
                }),
            ],
        }),
    'resources/read': params => cached(read(params)),
    'completion/complete': ({ argument }) => ({
        completion: { values: [`${argument.value}-completed`], total: 1, hasMore: false },
    }),
};

const byEra = {
    legacy: {
        ...shared,
        initialize(params) {
            sessionCapabilities = params.capabilities;
            const { protocolVersion: wanted } = params;
            return {
                protocolVersion: LEGACY.includes(wanted) ? wanted : LEGACY[0],
                capabilities: CAPABILITIES,
                serverInfo: INFO,
            };
        },
        ping: () => ({}),
        'logging/setLevel'({ level }) {
            sessionLevel = level;
            return {};
        },
        'resources/subscribe': () => ({}),
        'resources/unsubscribe': () => ({}),
    },
    modern: {
        ...shared,
        'server/discover': () =>
            cached({ supportedVersions: [MODERN], capabilities: CAPABILITIES }),
    },
};

let isEraFixed = !both;

/** The first request decides; a client may ask for the versions before. */
function fixEra(method, params) {
    if (!isEraFixed && method !== 'server/discover') {
        isEraFixed = true;
        era = params._meta?.[`${META}protocolVersion`] === undefined ? 'legacy' : 'modern';
    }
}

async function answer({ id, method, params = {} }) {
    try {
        fixEra(method, params);
        if (era === 'modern' && method === 'subscriptions/listen') {
            listeners.set(id, params.notifications);
            notify('notifications/subscriptions/acknowledged', {
                notifications: params.notifications,
                _meta: { [MARK]: id },
            });
            return;
        }
        const work = new AbortController();
        working.set(id, work);
        const context = new Context(params, work.signal);
        if (era === 'modern' && !context.modern) {
            throw new Refusal(-32022, 'Unsupported protocol version', { supported: [MODERN] });
        }
        const run = byEra[era][method];
        if (run === undefined) {
            throw new Refusal(-32601, `Method not found: ${method}`);
        }
        const result = await run(params, context);
        const _meta = { [`${META}serverInfo`]: INFO };
        write({ id, result: era === 'modern' ? { resultType: 'complete', ...result, _meta } : result });
    } catch (failure) {
        if (failure instanceof InputRequired) {
            write({ id, result: failure.result });
        } else {
            const { code = -32603, message, data } = failure;
            write({ id, error: { code, message, data } });
        }
    } finally {
        working.delete(id);
    }
}

createInterface({ input: process.stdin }).on('line', line => {
    const message = JSON.parse(line);
    if (message.method === undefined) {
        const waiting = asked.get(message.id);
        asked.delete(message.id);
        if (message.error === undefined) {
            waiting?.resolve(message.result);
        } else {
            waiting?.reject(new Refusal(message.error.code, message.error.message, message.error.data));
        }
    } else if (message.id !== undefined) {
        void answer(message);
    } else if (message.method === 'notifications/cancelled') {
        listeners.delete(message.params.requestId);
        working.get(message.params.requestId)?.abort();
    }
});
