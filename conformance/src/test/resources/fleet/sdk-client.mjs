// A client of the official TypeScript SDK that uses a gateway with two servers, "old" and "new":
//   sdk-client.mjs 1|2 stdio CONFIG     starts the gateway itself; its launcher is in PATCHBAY
//   sdk-client.mjs 1|2 http URL         with what AUTHORIZATION has as its header
// It prints what it saw as JSON.
const [, , major, transport, place] = process.argv;

const sdk = major === '1' ? await version1() : await version2();
const seen = { tools: [], elicitations: 0 };
const client = sdk.client({ name: `sdk-${major}`, version: '1' }, { elicitation: {} }, () => {
    seen.elicitations++;
    return { action: 'accept', content: { username: 'ada', email: 'ada@example.org' } };
});

async function version1() {
    const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }, types] =
        await Promise.all([
            import('@modelcontextprotocol/sdk/client/index.js'),
            import('@modelcontextprotocol/sdk/client/stdio.js'),
            import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
            import('@modelcontextprotocol/sdk/types.js'),
        ]);
    return {
        StdioClientTransport,
        StreamableHTTPClientTransport,
        client(info, capabilities, elicited) {
            const made = new Client(info, { capabilities });
            made.setRequestHandler(types.ElicitRequestSchema, elicited);
            return made;
        },
        call: (params, options) => client.callTool(params, undefined, options),
        version: () => types.LATEST_PROTOCOL_VERSION, // it knows no other era
    };
}

async function version2() {
    const [{ Client, StreamableHTTPClientTransport }, { StdioClientTransport }] = await Promise.all([
        import('@modelcontextprotocol/client'),
        import('@modelcontextprotocol/client/stdio'),
    ]);
    return {
        StdioClientTransport,
        StreamableHTTPClientTransport,
        client(info, capabilities, elicited) {
            const made = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } });
            made.setRequestHandler('elicitation/create', elicited);
            return made;
        },
        call: (params, options) => client.callTool(params, options),
        version: () => client.getNegotiatedProtocolVersion(),
    };
}

function way() {
    if (transport === 'stdio') {
        const args = ['stdio', '--config', place];
        return new sdk.StdioClientTransport({
            command: process.env.PATCHBAY,
            args,
            env: process.env,
            stderr: 'inherit',
        });
    }
    const headers = { Authorization: process.env.AUTHORIZATION };
    return new sdk.StreamableHTTPClientTransport(new URL(place), { requestInit: { headers } });
}

const said = async (name, given = {}, options = { timeout: 30_000 }) =>
    (await sdk.call({ name, arguments: given }, options)).content[0].text;

/** What one server was seen to do. */
async function use(server) {
    const progress = [];
    const report = { text: await said(`${server}.test_simple_text`) };
    await said(`${server}.test_tool_with_progress`, {}, { onprogress: p => progress.push(p.progress) });
    report.progress = progress;
    report.elicited = await said(`${server}.test_elicitation`, { message: 'Who?' });
    const cancel = new AbortController();
    report.cancelled = await said(`${server}.wait`, {}, {
        signal: cancel.signal,
        onprogress: () => cancel.abort('enough'),
    }).catch(() => 'given up');
    const end = Date.now() + 30_000;
    do {
        report.cancellations = await said(`${server}.cancellations`);
    } while (report.cancellations === '0' && Date.now() < end);
    return report;
}

await client.connect(way());
try {
    seen.version = sdk.version();
    seen.tools = (await client.listTools()).tools.map(({ name }) => name);
    seen.prompts = (await client.listPrompts()).prompts.length;
    const listed = (await client.listResources()).resources.map(({ uri }) => uri);
    const uri = listed.find((it) => it.endsWith('old:test://static-text'));
    seen.resource = (await client.readResource({ uri })).contents[0].text;
    seen.old = await use('old');
    seen.new = await use('new');
} finally {
    await client.close();
}
console.log(JSON.stringify(seen));
