// Tries the built gateway with the MCP inspector's command line on Node 24, over stdio and HTTP and in each of its era
// modes, as a user would: with the servers of the example config, and with servers of either era.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = path.resolve('test/interop');
const node24 = path.join(folder, 'node_modules/node24/bin/node');
const inspector = path.join(folder, 'node_modules/.bin/mcp-inspector');
const home = mkdtempSync(path.join(tmpdir(), 'viaduct-interop-'));
const env = {
  ...process.env,
  VIADUCT_HOME: home,
  VIADUCT_GATEWAY: 'private',
  PATH: `${path.dirname(node24)}:${process.env.PATH}`,
};
const ERA_MODES = ['legacy', 'auto', 'modern'];

const SITES = [
  {
    what: 'the example',
    config: path.resolve('config.example.yaml'),
    checks: [
      [
        ['--method', 'tools/list'],
        [
          'everything_echo',
          'filesystem_read_text_file',
          'memory_read_graph',
          'xcode_tools_bridge_status',
          'xcode_tools_bridge_sync',
        ],
      ],
      [callOf('everything_echo', 'message=hello'), ['Echo: hello']],
      [['--method', 'resources/list'], ['demo://']],
      [['--method', 'prompts/list'], ['everything_']],
    ],
  },
  {
    what: 'servers of both eras',
    config: writeErasConfig(),
    checks: [
      [
        ['--method', 'tools/list'],
        ['old_echo', 'new_echo'],
      ],
      [callOf('old_echo', 'text=hello'), ['old: hello']],
      [callOf('new_echo', 'text=hello'), ['new: hello']],
      [['--method', 'resources/read', '--uri', 'old://one'], ['old has old://one']],
      [['--method', 'resources/read', '--uri', 'new://one'], ['new has new://one']],
      [['--method', 'prompts/get', '--prompt-name', 'new_greet', '--prompt-args', 'who=Ada'], ['new greets Ada']],
    ],
  },
];

if (!existsSync(inspector)) execFileSync('npm', ['ci', '--prefix', folder], { stdio: 'inherit' });

let failures = 0;
try {
  for (const site of SITES) await trySite(site);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

async function trySite({ what, config, checks }) {
  const gateway = spawn(node24, ['dist/main.js', 'serve', '--config', config, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => gateway.once('exit', resolve));
  try {
    const ways = waysTo(await untilReady(gateway), config);
    for (const [way, target] of Object.entries(ways)) {
      for (const mode of ERA_MODES) {
        for (const [words, expected] of checks) {
          const output = inspect(target, ['--protocol-era', mode, ...words]);
          check(`${what} ${way}, ${mode}: ${words.slice(1).join(' ')}`, output, expected);
        }
      }
    }
  } finally {
    gateway.kill('SIGTERM');
    await exited;
  }
}

function waysTo(url, config) {
  return {
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
      '-e',
      'VIADUCT_GATEWAY=private',
    ],
  };
}

function writeErasConfig() {
  const entry = (label, era) => ({
    command: node24,
    args: [path.resolve('dist-fixtures/eras.js'), `--era=${era}`, `--label=${label}`],
  });
  const file = path.join(home, 'viaduct.yaml');
  const upstreams = { old: entry('old', 'legacy'), new: entry('new', 'modern') };
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, log: { level: 'warn' }, upstreams }));
  return file;
}

function callOf(tool, argument) {
  return ['--method', 'tools/call', '--tool-name', tool, '--tool-arg', argument];
}

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
