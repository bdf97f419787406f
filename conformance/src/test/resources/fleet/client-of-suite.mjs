// What the official suite starts as the client that it tests: a gateway whose one server is the
// suite's, with an SDK's client before it that does what the scenario wants done. The launcher of
// the gateway is in PATCHBAY; the address of the suite's server is the last argument.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT || '{}');
const folder = mkdtempSync(join(tmpdir(), 'patchbay-suite-'));
const config = join(folder, 'patchbay.json');
/** Writes what the suite hands out to a file; its path. */
function file(name, text = '') {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
}
const oauth = {
    'auth/basic-cimd': {
        clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    },
    'auth/pre-registration': {
        clientId: given.client_id,
        clientSecret: given.client_secret,
        issuer: given.issuer,
    },
    'auth/client-credentials-basic': {
        grant: 'client_credentials',
        clientId: given.client_id,
        clientSecret: given.client_secret,
    },
    'auth/client-credentials-jwt': {
        grant: 'client_credentials',
        clientId: given.client_id,
        privateKeyFile: file('key.pem', given.private_key_pem),
    },
    'auth/wif-jwt-bearer': {
        grant: 'jwt_bearer',
        clientId: given.client_id,
        assertionFile: file('workload.jwt', given.valid_jwt),
    },
    'auth/enterprise-managed-authorization': {
        grant: 'identity_assertion',
        clientId: given.client_id,
        clientSecret: given.client_secret,
        assertionFile: file('id-token.jwt', given.idp_id_token),
        identityProvider: { tokenUrl: given.idp_token_endpoint, clientId: given.idp_client_id },
    },
}[scenario];
writeFileSync(
    config,
    JSON.stringify({
        patchbay: { names: 'bare', stateDir: folder },
        mcpServers: { suite: { url: process.argv.at(-1), oauth } },
    }),
);

const client = new Client(
    { name: 'client-of-suite', version: '1' },
    {
        capabilities: { sampling: {}, elicitation: { form: { applyDefaults: true } }, roots: {} },
        versionNegotiation: { mode: 'auto' },
    },
);
client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    // Where all has a default the client's defaults are what is tested.
    content: params.requestedSchema?.required?.length ? { confirmed: true } : {},
}));
client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'Paris' },
}));
client.setRequestHandler('roots/list', () => ({ roots: [] }));

async function call(name, given = {}) {
    try {
        return await client.callTool({ name, arguments: given }, { timeout: 20_000 });
    } catch (failure) {
        console.error(`${name}: ${failure.message}`); // the suite judges what its server saw
        return undefined;
    }
}

async function all(list, use) {
    for (const entry of await list()) {
        await use(entry);
    }
}

/** Signs in as a person would, with a browser that does as it is told; whether it worked. */
function login() {
    const browser = `${process.execPath} -e fetch(process.argv[1])`;
    const words = ['login', '--config', config, '--open', browser, '--timeout', '20', 'suite'];
    const done = spawnSync(process.env.PATCHBAY, words, { encoding: 'utf8' });
    console.error(done.stdout, done.stderr);
    return done.status === 0;
}

/** Whether the gateway has found its tokens to be of no use. */
function isForgotten() {
    const kept = join(folder, 'sign-in');
    const file = readdirSync(kept).find(name => name.endsWith('.json'));
    return JSON.parse(readFileSync(join(kept, file), 'utf8')).accessToken === '';
}

/** Calls the tool as soon as the gateway has it; whether it was served before it was `over`. */
async function callUnless(over) {
    const end = Date.now() + 20_000;
    while (Date.now() < end) {
        const result = await call('test-tool');
        if (result && !result.isError) {
            return true;
        }
        if (over(result?.content?.[0]?.text ?? '')) {
            return false;
        }
        await new Promise(resolve => setTimeout(resolve, 100));
    }
    return false;
}

/** Some servers want another sign-in after the first: more rights, or another issuer. */
async function signIn() {
    const wantsMore = text => text.includes('more rights');
    if (oauth?.grant) {
        await callUnless(() => false);
    } else if (login() && !(await callUnless(text => wantsMore(text) || isForgotten())) && login()) {
        await callUnless(text => scenario === 'auth/scope-retry-limit' && wantsMore(text));
    }
}

const tools = async () => (await client.listTools()).tools;
const acts = {
    tools_call: () => call('add_numbers', { a: 5, b: 3 }),
    'elicitation-sep1034-client-defaults': () => call('test_client_elicitation_defaults'),
    'sse-retry': () => call('test_reconnection'),
    async 'json-schema-2020-12-preservation'() {
        const tool = (await tools()).find(({ name }) => name === 'json_schema_2020_12_tool');
        await call('json_schema_echo', { schema: tool?.inputSchema });
    },
    async 'http-standard-headers'() {
        await all(tools, ({ name }) => call(name));
        await all(
            async () => (await client.listResources()).resources,
            ({ uri }) => client.readResource({ uri }),
        );
        await all(
            async () => (await client.listPrompts()).prompts,
            ({ name }) => client.getPrompt({ name, arguments: {} }),
        );
    },
    'http-custom-headers': () =>
        all(
            () => given.toolCalls ?? [],
            one => call(one.name, one.arguments),
        ),
    'http-invalid-tool-headers': () => all(tools, ({ name }) => call(name, { region: 'us-west1' })),
    'sep-2322-client-request-state': () =>
        all(
            () => ['echo_state', 'no_state', 'unrelated', 'no_result_type'],
            name => call(`test_mrtr_${name}`),
        ),
};

await client.connect(
    new StdioClientTransport({
        command: process.env.PATCHBAY,
        args: ['stdio', '--config', config],
        env: process.env,
        stderr: 'inherit',
    }),
);
try {
    const names = (await tools()).map(({ name }) => name);
    console.error(`${scenario}: ${names.join(', ')}`);
    await (scenario.startsWith('auth/') ? signIn() : acts[scenario]?.());
} finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
}
