// The server that the official conformance suite wants to see behind the gateway for its scenarios
// of tasks, over stdio, in the modern era, without an SDK.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const TASKS = `${META}tasks`;
const INFO = { name: 'tasks-fixture', version: '1.0.0' };
const CAPABILITIES = { tools: {}, extensions: { [TASKS]: {} } };

const write = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const text = value => ({ content: [{ type: 'text', text: value }] });
const refusal = (code, message, data) => Object.assign(new Error(message), { code, data });
const missing = () =>
    refusal(-32021, 'The client did not declare tasks', {
        requiredCapabilities: { extensions: { [TASKS]: {} } },
    });
const elicit = (message, properties) => ({
    method: 'elicitation/create',
    params: {
        message,
        requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
    },
});

// --- Tasks ----------------------------------------------------------------------------------------

const tasks = new Map();
const listeners = new Map(); // the filters of open subscriptions/listen by their ids

class Task {
    constructor() {
        this.taskId = randomUUID();
        this.status = 'working';
        this.createdAt = new Date().toISOString();
        this.lastUpdatedAt = this.createdAt;
        this.work = new AbortController();
        this.questions = new Map(); // what is asked, and who waits for it, by key
        tasks.set(this.taskId, this);
    }

    get isOver() {
        return ['completed', 'failed', 'cancelled'].includes(this.status);
    }

    get shown() {
        const { taskId, status, createdAt, lastUpdatedAt } = this;
        return { taskId, status, createdAt, lastUpdatedAt, ttlMs: 60_000, pollIntervalMs: 100 };
    }

    get detailed() {
        const asked = [...this.questions].map(([key, { question }]) => [key, question]);
        return {
            ...this.shown,
            ...(this.status === 'input_required' && { inputRequests: Object.fromEntries(asked) }),
            ...(this.status === 'completed' && { result: this.result }),
            ...(this.status === 'failed' && { error: this.error }),
        };
    }

    become(status) {
        if (this.isOver || this.status === status) {
            return;
        }
        this.status = status;
        this.lastUpdatedAt = new Date().toISOString();
        for (const [id, { taskIds = [] }] of listeners) {
            if (taskIds.includes(this.taskId)) {
                const params = { ...this.detailed, _meta: { [`${META}subscriptionId`]: id } };
                write({ method: 'notifications/tasks', params });
            }
        }
    }

    /** Runs what the task is for, and keeps how it ends. */
    async run(doing) {
        try {
            this.result = await doing(this);
            this.become('completed');
        } catch (failure) {
            this.error = { code: failure.code ?? -32603, message: failure.message };
            this.become(this.work.signal.aborted ? 'cancelled' : 'failed');
        }
    }

    ask(key, question) {
        const answer = new Promise(resolve => this.questions.set(key, { question, resolve }));
        this.become('input_required');
        return answer;
    }

    answer(answers) {
        for (const [key, value] of Object.entries(answers)) {
            this.questions.get(key)?.resolve(value);
            this.questions.delete(key);
        }
        if (this.questions.size === 0) {
            this.become('working');
        }
    }
}

// --- Tools ----------------------------------------------------------------------------------------

const greet = ({ name }) => text(`Hello, ${name}!`);
const slow = ({ seconds = 1 }) => async task => {
    await pause(seconds * 1000, undefined, { signal: task?.work.signal });
    return text(`Computed for ${seconds} seconds`);
};
const failing = () => async () => {
    await pause(500);
    return { ...text('The job failed'), isError: true };
};
const breaking = () => async () => {
    await pause(100);
    throw refusal(-32603, 'The job broke');
};
const confirmed = ({ filename = 'it' }) => async task => {
    const answer = await task.ask('confirm', elicit(`Delete ${filename}?`, { confirm: { type: 'boolean' } }));
    return text(`Answered: ${JSON.stringify(answer)}`);
};
const several = () => async task => {
    const asked = ['first', 'second'].map(key =>
        task.ask(key, elicit(`The ${key}?`, { value: { type: 'string' } })),
    );
    return text(JSON.stringify(await Promise.all(asked)));
};

/** Tools that may run as tasks; those that are required to run only so. */
const tasked = {
    slow_compute: { doing: slow },
    failing_job: { doing: failing, required: true },
    protocol_error_job: { doing: breaking },
    confirm_delete: { doing: confirmed, required: true },
    multi_input: { doing: several, required: true },
};

async function call({ name, arguments: given = {}, inputResponses, _meta }) {
    const declared = _meta[`${META}clientCapabilities`].extensions?.[TASKS] !== undefined;
    if (name === 'greet') {
        return greet(given);
    }
    let doing;
    let required = true;
    if (name === 'test_tool_with_task') {
        const user = inputResponses?.user_name;
        if (user === undefined) {
            const question = elicit('What is your name?', { name: { type: 'string' } });
            return {
                resultType: 'input_required',
                inputRequests: { user_name: question },
                requestState: 'asked',
            };
        }
        doing = async () => text(`Hello, ${user.content.name}!`);
    } else if (tasked[name] === undefined) {
        throw refusal(-32602, `There is no ${name}`);
    } else {
        doing = tasked[name].doing(given);
        required = tasked[name].required ?? false;
    }
    if (!declared) {
        if (required) {
            throw missing();
        }
        return doing();
    }
    const task = new Task();
    const begun = { resultType: 'task', ...task.shown };
    void task.run(doing);
    return begun;
}

// --- Methods --------------------------------------------------------------------------------------

function found({ taskId, _meta }) {
    if (_meta[`${META}clientCapabilities`].extensions?.[TASKS] === undefined) {
        throw missing();
    }
    const task = tasks.get(taskId);
    if (task === undefined) {
        throw refusal(-32602, 'There is no such task');
    }
    return task;
}

const listed = [...Object.keys(tasked), 'greet', 'test_tool_with_task'].map(name => ({
    name,
    description: `The conformance fixture ${name}`,
    inputSchema: { type: 'object' },
}));

const methods = {
    'server/discover': () => ({
        supportedVersions: [MODERN],
        capabilities: CAPABILITIES,
        ttlMs: 1000,
        cacheScope: 'public',
    }),
    'tools/list': () => ({ tools: listed, ttlMs: 1000, cacheScope: 'public' }),
    'tools/call': call,
    'tasks/get': params => found(params).detailed,
    'tasks/update'(params) {
        found(params).answer(params.inputResponses);
        return {};
    },
    'tasks/cancel'(params) {
        const task = found(params);
        task.work.abort();
        task.become('cancelled');
        return {};
    },
};

async function answer({ id, method, params = {} }) {
    try {
        if (method === 'subscriptions/listen') {
            listeners.set(id, params.notifications);
            write({
                method: 'notifications/subscriptions/acknowledged',
                params: {
                    notifications: params.notifications,
                    _meta: { [`${META}subscriptionId`]: id },
                },
            });
            return;
        }
        if (methods[method] === undefined) {
            throw refusal(-32601, `Method not found: ${method}`);
        }
        const result = await methods[method](params);
        const _meta = { [`${META}serverInfo`]: INFO };
        write({ id, result: { resultType: 'complete', ...result, _meta } });
    } catch (failure) {
        const { code = -32603, message, data } = failure;
        write({ id, error: { code, message, data } });
    }
}

createInterface({ input: process.stdin }).on('line', line => {
    const message = JSON.parse(line);
    if (message.method !== undefined && message.id !== undefined) {
        void answer(message);
    } else if (message.method === 'notifications/cancelled') {
        listeners.delete(message.params.requestId);
    }
});
