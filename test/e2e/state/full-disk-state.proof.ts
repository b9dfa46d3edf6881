import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { browse, startAuthorizationServer } from '../../support/auth/authorization-server.ts';
import { BIN, temporaryFolder } from '../../support/gateway.ts';
import { startProtectedServer } from '../../support/http/protected-server.ts';

const MOUNTS = ['-U', '-r', '-m'];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...MOUNTS, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
/** Files that change with each use, full disk or not; the database is looked at by what it says. */
const IGNORED = ['filler', 'viaduct.db*', 'knowledge.db*', '*.log', '*.jsonl']
  .map((name) => `! -name '${name}'`)
  .join(' ');

interface Case {
  /** Commands that leave something, before the disk is full. */
  readonly before: readonly string[];
  /** The command that changes it. */
  readonly words: string;
  /** Commands that show it, once there is room again; their output contains these texts. */
  readonly afterwards?: readonly (readonly [words: string, shown: string])[];
}

const FIRST = `call save_checkpoint -a '{"project_id":"p","source_ide":"x","bundle_patch":{"summary":"first"}}'`;
const WRITE = `call file_write -a '{"path":"a.txt","content":"one"}'`;
/** The upstream has one more tool from the second start on. */
const KNOWN_TOOLS = ['tools', 'status'];

const CASES: Readonly<Record<string, Case>> = {
  'metrics export': { before: ['call metrics_record type=build'], words: 'metrics export /mnt/out' },
  undo: { before: [WRITE], words: 'undo', afterwards: [['undo', 'a.txt']] },
  'pins accept': { before: KNOWN_TOOLS, words: 'pins accept grows', afterwards: [['pins list grows', 'withheld']] },
  metrics_record: {
    before: ['call metrics_record type=build'],
    words: 'call metrics_record type=test',
    afterwards: [['metrics --json', '"total": 1']],
  },
  save_checkpoint: {
    before: [FIRST],
    words: `${FIRST.replace('first', 'second')}`,
    afterwards: [['checkpoint show p --json', '"summary": "first"']],
  },
  append_todo: {
    before: [FIRST],
    words: `call append_todo -a '{"project_id":"p","text":"lost"}'`,
    afterwards: [['checkpoint show p --json', '"summary": "first"']],
  },
  delete_project: {
    before: [FIRST],
    words: `call delete_project -a '{"project_id":"p","confirm":true}'`,
    afterwards: [['checkpoint show p --json', '"summary": "first"']],
  },
  file_write: { before: [WRITE], words: `call file_write -a '{"path":"b.txt","content":"two"}'` },
  file_edit: { before: [WRITE], words: `call file_edit -a '{"path":"a.txt","old_string":"one","new_string":"two"}'` },
  index: { before: ['index'], words: 'index --force', afterwards: [['search LATER', 'later.ts']] },
  rag_ingest: {
    before: ['rag ingest plain.md'],
    words: 'rag ingest large.md',
    afterwards: [['rag query quokka', 'quokka']],
  },
  dir_create: { before: [WRITE], words: 'call dir_create path=new/deep' },
};

const command = (words: string) => `'${process.execPath}' '${BIN}' ${words} --config /mnt/work/viaduct.yaml`;

/** What a start needs, in the folder that becomes the small file system. */
function fill(folder: string, upstreams: object): void {
  for (const name of ['home', 'user', 'work']) mkdirSync(path.join(folder, name), { recursive: true });
  const config = {
    schemaVersion: 1,
    enabledWorkflows: ['checkpoint', 'files', 'metrics', 'codebase', 'rag'],
    workspace: { root: '/mnt/work' },
    upstreams,
  };
  const put = (name: string, text: string) => writeFileSync(path.join(folder, 'work', name), text);
  put('viaduct.yaml', JSON.stringify(config));
  put('later.ts', 'export const LATER = 1;\n'.repeat(2_000));
  put('plain.md', 'A quokka.\n');
  put('large.md', Array.from({ length: 20_000 }, (_, at) => `Word${at}`).join(' '));
}

/** A script that runs in a mount namespace of its own: the files are on a file system without room for one more block. */
function script(folder: string, { before, words, afterwards = [] }: Case): string {
  const list = (name: string) =>
    `(cd /mnt; find . ${IGNORED} -type f -exec sha256sum {} + | sort -k2) > '${folder}/${name}'`;
  return `set -e
    export HOME=/mnt/user VIADUCT_HOME=/mnt/home VIADUCT_KEYRING=off
    mount -t tmpfs -o size=4m none /mnt; cp -r '${folder}/files/.' /mnt; cd /mnt/work
    ${before.map((one) => `${command(one)} >>'${folder}/setup' 2>&1`).join('\n')}
    cat /dev/zero > /mnt/filler 2>/dev/null || true
    ${list('before')}
    code=0; ${command(words)} >'${folder}/out' 2>'${folder}/err' || code=$?
    ${list('after')}
    rm /mnt/filler
    ${afterwards.map(([one], index) => `${command(one)} >'${folder}/shown${index}' 2>&1 || true`).join('\n')}
    exit $code`;
}

const GROWS = `
  const { existsSync, writeFileSync } = require('node:fs');
  const isLater = existsSync('started'); writeFileSync('started', '');
  const tool = (name) => ({ name, inputSchema: { type: 'object' } });
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const results = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'g', version: '1' } },
      'tools/list': { tools: [tool('a'), ...(isLater ? [tool('b')] : [])] },
    };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });`;

describe.skipIf(!canMount)('on a disk that became full, nothing is lost and nothing half-done by', () => {
  test.each(Object.entries(CASES))('%s', (name, one) => {
    const folder = temporaryFolder();
    const grows = { command: process.execPath, args: ['-e', GROWS], cwd: '/mnt/user', pins: 'enforce', era: 'legacy' };
    fill(path.join(folder, 'files'), name === 'pins accept' ? { grows } : {});
    const { status } = spawnSync('unshare', [...MOUNTS, 'sh', '-c', script(folder, one)]);
    const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
    expect({ setup: read('setup'), isThere: existsSync(path.join(folder, 'after')) }).toMatchObject({ isThere: true });
    expect(read('after')).toBe(read('before'));
    expect(read('err') + read('out')).toMatch(/ENOSPC|is full|cannot be (read or )?written/);
    expect(status).toBe(1);
    for (const [index, [, shown]] of (one.afterwards ?? []).entries()) expect(read(`shown${index}`)).toContain(shown);
  });

  test('auth login', async () => {
    const authorization = await startAuthorizationServer({});
    const server = await startProtectedServer(authorization);
    const folder = temporaryFolder();
    fill(path.join(folder, 'files'), { h: { url: server.url } });
    const login = { before: ['config check'], words: 'auth login h --no-browser' };
    const child = spawn('unshare', [...MOUNTS, 'sh', '-c', script(folder, login)], { stdio: 'ignore' });
    const closed = once(child, 'close');
    const out = path.join(folder, 'out');
    const address = () => (existsSync(out) ? /^ {2}(http\S+)\n/m.exec(readFileSync(out, 'utf8'))?.[1] : undefined);
    await expect.poll(address, { timeout: 60_000 }).toBeDefined();
    const { text } = await browse(address()!);
    expect((await closed)[0]).toBe(1);
    const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
    expect(read('after')).toBe(read('before'));
    expect(read('err')).toMatch(/ENOSPC|is full/);
    expect(text).not.toContain('You are logged in');
  });
});
