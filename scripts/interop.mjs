// Tries the built gateway with the MCP inspector's command line on Node 24, over stdio and HTTP, as a user would.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = path.resolve('test/interop');
const node24 = path.join(folder, 'node_modules/node24/bin/node');
const inspector = path.join(folder, 'node_modules/.bin/mcp-inspector');
const config = path.resolve('config.example.yaml');
const home = mkdtempSync(path.join(tmpdir(), 'viaduct-interop-'));
const env = { ...process.env, VIADUCT_HOME: home, PATH: `${path.dirname(node24)}:${process.env.PATH}` };
const EXPECTED = [
  'everything_echo',
  'filesystem_read_text_file',
  'memory_read_graph',
  'xcode_tools_bridge_status',
  'xcode_tools_bridge_sync',
];

if (!existsSync(inspector)) execFileSync('npm', ['ci', '--prefix', folder], { stdio: 'inherit' });

const gateway = spawn(node24, ['dist/main.js', 'serve', '--config', config, '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let failures = 0;
try {
  const url = await untilReady(gateway);
  const ways = {
    'over HTTP': [url, '--transport', 'http'],
    // The inspector takes options such as --config for its own, so the config goes by environment.
    'over stdio': [
      node24,
      path.resolve('dist/main.js'),
      'stdio',
      '-e',
      `VIADUCT_CONFIG=${config}`,
      '-e',
      `VIADUCT_HOME=${home}`,
    ],
  };
  for (const [way, target] of Object.entries(ways)) {
    check(`${way}: tools/list`, inspect(target, ['--method', 'tools/list']), EXPECTED);
    const call = ['--method', 'tools/call', '--tool-name', 'everything_echo', '--tool-arg', 'message=hello'];
    check(`${way}: tools/call`, inspect(target, call), ['Echo: hello']);
    check(`${way}: resources/list`, inspect(target, ['--method', 'resources/list']), ['demo://']);
    check(`${way}: prompts/list`, inspect(target, ['--method', 'prompts/list']), ['everything_']);
  }
} finally {
  gateway.kill('SIGTERM');
  await new Promise((resolve) => gateway.once('exit', resolve));
  rmSync(home, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

/** Resolves with the URL once every upstream has been reported. */
function untilReady(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('Stop with Ctrl-C')) resolve(/listening on\s+(\S+)/.exec(text)[1]);
    });
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
  });
}

function inspect(target, words) {
  try {
    return execFileSync(node24, [inspector, '--cli', ...target, ...words], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return `${error.stdout}\n${error.stderr}`;
  }
}

function check(what, output, expected) {
  const missing = expected.filter((text) => !output.includes(text));
  if (missing.length > 0) failures++;
  process.stdout.write(`${missing.length === 0 ? 'ok    ' : 'FAILED'} ${what}\n`);
  if (missing.length > 0) process.stdout.write(`  missing: ${missing.join(', ')}\n${output.slice(0, 2000)}\n`);
}
