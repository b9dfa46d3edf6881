import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../../src/commands/doctor/checks/check.ts';
import { examine } from '../../../src/commands/doctor/run-checks.ts';
import {
  connectStdio,
  fixture,
  freshHome,
  openServe,
  pidsIn,
  temporaryFolder,
  upstreams,
  writeConfig,
} from '../../support/gateway.ts';

async function doctor(config: string, env = freshHome()): Promise<(name: string) => Check> {
  // Nobody's login shell is asked for its PATH: that takes seconds.
  const checks = await examine({ config, env: { ...env, SHELL: '' }, signal: new AbortController().signal });
  return (name) => checks.find((check) => check.name === name)!;
}

/** Every file below a folder with its content, and when it was changed. */
function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(folder, name);
      const facts = statSync(file);
      return [name, facts.isFile() ? `${facts.mtimeMs} ${readFileSync(file, 'latin1')}` : 'a folder'];
    }),
  );
}

const onDemand = (entry: object) => ({ ...entry, restart: 'on-demand' });

describe('an upstream that calls start', () => {
  test('is started, and what it says when it dies is told', async () => {
    const check = await doctor(
      upstreams({ dies: onDemand(fixture('hostile', '--mode=crash-at-start')), works: onDemand(fixture('hostile')) }),
    );
    expect(check('upstream dies')).toMatchObject({ mark: 'fail', lines: ['stderr: cannot open the database'] });
    expect(check('upstream dies').text).toContain('process exited (code 3)');
    expect(check('upstream works')).toMatchObject({ mark: 'ok', text: expect.stringMatching(/^ready, \d+ tools/) });
  });

  test('is tried beside a gateway that runs and has not started it, and left there as it is', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const entries = { f: onDemand(fixture('hostile', '--mode=ok', `--log=${log}`)) };
    const config = writeConfig({ server: { port: 0 }, upstreams: entries });
    const env = freshHome();
    // Its list is known from now on, so the next gateway waits for a call.
    const first = await connectStdio(config, { env });
    await expect.poll(() => first.toolNames()).toContain('f_echo');
    await openServe(config, env);
    const started = pidsIn(log).length;
    const check = await doctor(config, env);
    expect(check('upstream f').text).toMatch(/^ready, \d+ tools/);
    expect(pidsIn(log)).toHaveLength(started + 1);
  });
});

describe('nothing on the disk is changed', () => {
  test('where the gateway has run before, and a tool has changed since', async () => {
    const folder = temporaryFolder();
    const extra = {
      audit: { file: path.join(folder, 'audit.jsonl') },
      log: { level: 'warn', file: path.join(folder, 'log') },
    };
    const env = freshHome();
    const config = (mode: string) =>
      writeConfig({ ...extra, upstreams: { f: { ...fixture('hostile', `--mode=${mode}`), pins: 'enforce' } } }, folder);
    const client = await connectStdio(config('ok'), { env });
    await expect.poll(() => client.toolNames()).toContain('f_echo');
    const before = filesBelow(env.VIADUCT_HOME!);
    expect(Object.keys(before).some((name) => name.startsWith('pins/') || name.startsWith('pins\\'))).toBe(true);
    config('pages');
    const ours = filesBelow(folder);
    const check = await doctor(path.join(folder, 'viaduct.yaml'), env);
    expect(check('upstream f').text).toMatch(/^ready/);
    expect(filesBelow(env.VIADUCT_HOME!)).toEqual(before);
    expect(filesBelow(folder)).toEqual(ours);
  });

  test('where no gateway has run before', async () => {
    const folder = temporaryFolder();
    const env = freshHome({ VIADUCT_HOME: path.join(folder, 'home') });
    const log = { level: 'warn', file: path.join(folder, 'log') };
    const config = writeConfig({ log, upstreams: { f: fixture('hostile'), away: { url: 'http://127.0.0.1:9/mcp' } } });
    const check = await doctor(config, env);
    expect(check('upstream f').mark).toBe('ok');
    expect(check('log file')).toMatchObject({ mark: 'ok', text: expect.stringContaining('does not exist yet') });
    expect(filesBelow(folder)).toEqual({});
  });
});

test('schemas that are not valid are named with path and fault', async () => {
  const check = (await doctor(upstreams({ s: fixture('hostile', '--mode=bad-schemas') })))('upstream s');
  expect(check).toMatchObject({ mark: 'warn', fix: expect.stringContaining('tools.deny') });
  expect(check.lines).toEqual([
    expect.stringContaining('"bad_type" is not valid: inputSchema.properties.day.type has "any"'),
    expect.stringContaining('"bad_null" is not valid: inputSchema.properties.a is null'),
    expect.stringContaining('"bad_root" is not valid: inputSchema has no "type"'),
  ]);
});
