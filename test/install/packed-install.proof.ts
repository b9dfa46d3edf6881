import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { docx } from '../../fixtures/documents/docx.ts';
import { pdf } from '../../fixtures/documents/pdf.ts';
import manifest from '../../package.json' with { type: 'json' };
import { removeFolder } from '../support/folders.ts';
import { fixture, temporaryFolder, writeConfig } from '../support/gateway.ts';
import { startForwardProxy } from '../support/http/forward-proxy.ts';
import { HttpSession } from '../support/http/http-client.ts';
import { atEnd } from '../support/shared.ts';
import { startPostgres, type TestPostgres } from '../support/stores/postgres.ts';
import { reach } from '../support/transports.ts';
import { Installation } from './installation.ts';
import { RegistryUnreachable } from './npm.ts';

const LISTS = { graceMs: 60_000 };
const DEVELOPMENT = ['vitest', 'typescript', 'zod', 'rolldown', 'ws', 'kysely', 'postgres'];
const CHECKPOINT = { project_id: 'p', source_ide: 'test', bundle_patch: { conversation: { summary: 'kept' } } };

describe.skipIf(process.platform === 'win32').each([20, 24])('installed on Node.js %i', (major) => {
  let made: Installation | undefined;
  let unreachable: string | undefined;
  let postgres: TestPostgres | undefined;

  beforeAll(async () => {
    try {
      made = await Installation.make(major);
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error;
      unreachable = error.message;
      process.stderr.write(`SKIPPED: the installed package on Node.js ${major}, as ${unreachable}\n`);
      return;
    }
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    if (made !== undefined) removeFolder(made.root);
  });

  /** A test that is skipped where the package could not be installed. */
  function installedTest(name: string, body: (installed: Installation, context: TestContext) => Promise<void>): void {
    test(name, async (context) => {
      context.skip(made === undefined, unreachable);
      await body(made!, context);
    });
  }

  installedTest('the command says its version', async (installed) => {
    expect(await installed.run(['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
    const { stdout } = await promisify(execFile)('node', ['--version'], { env: installed.freshEnv() });
    expect(stdout).toMatch(new RegExp(`^v${major}\\.`));
  });

  installedTest('what is bundled is not installed a second time', async ({ folder }) => {
    const packages = readdirSync(path.join(folder, 'node_modules'));
    expect(packages).toEqual(expect.arrayContaining(['@modelcontextprotocol', '@photostructure', 'web-tree-sitter']));
    // The SDK has a Zod of its own.
    const direct = DEVELOPMENT.filter((name) => name !== 'zod');
    expect(packages.filter((name) => direct.includes(name))).toEqual([]);
  });

  installedTest('a config is checked', async (installed) => {
    const good = writeConfig({ upstreams: { old: fixture('eras') } });
    expect(await installed.run(['config', 'check', '--config', good])).toMatchObject({ code: 0 });
    const bad = writeConfig({ upstreams: { old: { comand: 'x' } } });
    expect(await installed.run(['config', 'check', '--config', bad])).toMatchObject({ code: 2 });
  });

  installedTest('stdio and serve relay to servers, and share what SQLite keeps', async (installed) => {
    const config = writeConfig({ enabledWorkflows: ['checkpoint'], upstreams: { old: fixture('eras') }, lists: LISTS });
    const env = installed.freshEnv();
    const { client, child } = installed.stdio(config, env);
    expect(await client.initialize()).toMatchObject({ serverInfo: { version: manifest.version } });
    expect(await client.toolNames()).toEqual(expect.arrayContaining(['old_echo', 'save_checkpoint']));
    expect(await client.callText('old_echo', { text: 'hello' })).toContain('hello');
    expect(await client.callText('save_checkpoint', CHECKPOINT)).toMatch(/"saved":\s*true/);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    client.end();
    await ended;
    expect(readFileSync(path.join(env.VIADUCT_HOME!, 'viaduct.db')).toString('latin1', 0, 15)).toBe('SQLite format 3');

    const session = await HttpSession.open(await installed.serve(config, env));
    expect(await session.callText('load_checkpoint', { project_id: 'p' })).toContain('kept');
    expect(await session.callText('old_echo', { text: 'again' })).toContain('again');
  });

  installedTest('PostgreSQL keeps the same', async (installed, context) => {
    context.skip(postgres === undefined, 'PostgreSQL is not installed');
    const config = writeConfig({ enabledWorkflows: ['checkpoint'], database: await postgres!.newDatabase() });
    const first = installed.stdio(config);
    await first.client.initialize();
    expect(await first.client.callText('save_checkpoint', CHECKPOINT)).toMatch(/"saved":\s*true/);
    const second = installed.stdio(config);
    await second.client.initialize();
    expect(await second.client.callText('load_checkpoint', { project_id: 'p' })).toContain('kept');
  });

  installedTest('servers are reached over WebSocket, and through a proxy', async (installed) => {
    const flags = ['--label=far'];
    const socket = await reach('websocket', { folder: temporaryFolder(), flags });
    const http = await reach('http', { folder: temporaryFolder(), flags });
    atEnd(() => socket.stop());
    atEnd(() => http.stop());
    const there = new URL((http.entry as { url: string }).url);
    const proxy = await startForwardProxy({ target: Number(there.port) });
    const far = { url: `http://far.test${there.pathname}` };
    const config = writeConfig({ upstreams: { socket: socket.entry, far }, lists: LISTS });
    const env = { ...installed.freshEnv(), HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '' };
    const { client } = installed.stdio(config, env);
    await client.initialize();
    expect(await client.callText('socket_echo', { text: 'over a socket' })).toContain('over a socket');
    expect(await client.callText('far_echo', { text: 'from afar' })).toContain('from afar');
    expect(proxy.seen).toContainEqual(expect.stringContaining('http://far.test'));
  });

  installedTest('grammars cut source files at their symbols', async (installed) => {
    const folder = temporaryFolder();
    const body = Array.from({ length: 22 }, (_, line) => `  println("line ${line} of the okapi")`).join('\n');
    writeFileSync(path.join(folder, 'zoo.kt'), `fun feedOkapi() {\n${body}\n}\n\nfun sweepYard() {\n${body}\n}\n`);
    writeFileSync(path.join(folder, 'zoo.ts'), 'export function weighOkapi(kilos: number) {\n  return kilos;\n}\n');
    const config = writeConfig({ enabledWorkflows: ['codebase'], workspace: { root: folder } });
    const env = installed.freshEnv();
    expect(await installed.run(['index', '--config', config], env, folder)).toMatchObject({ code: 0 });
    const search = (symbol: string) => installed.run(['search', symbol, '--config', config], env, folder);
    expect((await search('sweepYard')).stdout).toMatch(/^zoo\.kt:\d+-\d+ {2}sweepYard/);
    expect((await search('weighOkapi')).stdout).toMatch(/^zoo\.ts:1-3 {2}weighOkapi/);
  });

  installedTest('documents are read with the optional packages', async (installed) => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'docs'));
    writeFileSync(path.join(folder, 'docs/a.pdf'), pdf([[['The okapi eats leaves.']]]));
    writeFileSync(path.join(folder, 'docs/b.docx'), docx([{ text: 'The quokka smiles.' }]));
    writeFileSync(path.join(folder, 'docs/c.html'), '<html><body><p>The numbat digs for termites.</p></body></html>');
    const config = writeConfig({ enabledWorkflows: ['rag'], workspace: { root: folder } });
    const env = installed.freshEnv();
    const rag = (...words: string[]) => installed.run(['rag', ...words, '--config', config], env, folder);
    expect(await rag('ingest', 'docs', '--collection', 'zoo')).toMatchObject({ code: 0 });
    expect((await rag('query', 'okapi', '-C', 'zoo')).stdout).toContain('docs/a.pdf');
    expect((await rag('query', 'quokka', '-C', 'zoo')).stdout).toContain('docs/b.docx');
    expect((await rag('query', 'numbat', '-C', 'zoo')).stdout).toContain('docs/c.html');
  });

  installedTest('the keychain of the system can be asked', async ({ node, folder }) => {
    // A machine without a keychain refuses the password; the native part has to be there everywhere.
    const program = `const { AsyncEntry } = await import('@napi-rs/keyring');
      await new AsyncEntry('viaduct-test', 'nobody').getPassword(AbortSignal.timeout(10000)).catch(() => undefined);
      console.log('asked');`;
    const words = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(node, words, { cwd: path.join(folder, 'dist') });
    expect(stdout).toBe('asked\n');
  });
});
