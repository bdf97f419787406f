// A client of the official TypeScript SDK that signs in to a gateway by OAuth, with an
// authorization server of the package oidc-provider, which it starts itself:
//   oauth-client.mjs 1|2 GATEWAY_URL ISSUER_PORT
// It prints what it saw as JSON.
import Provider from 'oidc-provider';

const [, , major, url, port] = process.argv;
const issuer = `http://127.0.0.1:${port}`;
const redirectUrl = 'http://localhost:9/callback'; // nothing listens there: the code is read here

const provider = new Provider(issuer, {
    scopes: ['openid', 'offline_access', 'mcp'],
    pkce: { required: () => true },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
        registration: { enabled: true },
        resourceIndicators: {
            enabled: true,
            useGrantedResource: () => true,
            getResourceServerInfo: (_, resource) => ({
                scope: 'mcp',
                audience: resource,
                accessTokenFormat: 'jwt',
                accessTokenTTL: 300,
                jwt: { sign: { alg: 'RS256' } },
            }),
        },
    },
});
provider.on('server_error', (_, error) => console.error(error));
const server = provider.listen(Number(port), '127.0.0.1');

/** What a person does in a browser: follow redirects, sign in, consent. */
async function signIn(start) {
    const cookies = new Map();
    let next = { url: start.toString(), options: {} };
    for (let step = 0; step < 20; step++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const headers = { ...next.options.headers, cookie };
        const response = await fetch(next.url, { ...next.options, headers, redirect: 'manual' });
        for (const line of response.headers.getSetCookie()) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
            cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location?.startsWith(redirectUrl)) {
            return new URL(location).searchParams;
        }
        if (location) {
            next = { url: new URL(location, next.url).toString(), options: {} };
            continue;
        }
        const page = await response.text();
        const prompt = /name="prompt" value="(\w+)"/.exec(page);
        if (!prompt) {
            throw new Error(`${response.status} ${page}`);
        }
        next.options = {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ prompt: prompt[1], login: 'alice', password: 'x' }),
        };
    }
    throw new Error('The sign-in does not end');
}

const memory = {};
const authProvider = {
    redirectUrl,
    clientMetadata: {
        client_name: 'test',
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
    },
    clientInformation: () => memory.client,
    saveClientInformation: (client) => void (memory.client = client),
    tokens: () => memory.tokens,
    saveTokens: (tokens) => void (memory.tokens = tokens),
    codeVerifier: () => memory.verifier,
    saveCodeVerifier: (verifier) => void (memory.verifier = verifier),
    discoveryState: () => memory.discovery,
    saveDiscoveryState: (state) => void (memory.discovery = state),
    redirectToAuthorization: async (to) => {
        memory.authorization = to;
        memory.callback = await signIn(to);
    },
};

const { Client, StreamableHTTPClientTransport } =
    major === '1'
        ? {
              ...(await import('@modelcontextprotocol/sdk/client/index.js')),
              ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
          }
        : await import('@modelcontextprotocol/client');
const options = major === '1' ? {} : { versionNegotiation: { mode: 'auto' } };

const newClient = () => new Client({ name: 'test', version: '1' }, options);
const newTransport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider });

/** The first attempt ends with the sign-in; the second one has a token. */
async function connect() {
    const transport = newTransport();
    await newClient()
        .connect(transport)
        .catch((error) => {
            if (!memory.callback) {
                throw error;
            }
        });
    await transport.finishAuth(major === '1' ? memory.callback.get('code') : memory.callback);
    const client = newClient();
    await client.connect(newTransport());
    return client;
}

const client = await connect();
try {
    const result = await client.callTool({ name: 'old.test_simple_text', arguments: {} });
    const claims = JSON.parse(Buffer.from(memory.tokens.access_token.split('.')[1], 'base64url'));
    console.log(
        JSON.stringify({
            text: result.content[0].text,
            tools: (await client.listTools()).tools.length,
            requestedScope: memory.authorization.searchParams.get('scope'),
            requestedResource: memory.authorization.searchParams.get('resource'),
            audience: claims.aud,
        }),
    );
} finally {
    await client.close();
    server.close();
    server.closeAllConnections();
}
