import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectClient } from '../../support/clients/era-clients.ts';
import { BIN, freshHome, openServe, startServe, writeConfig } from '../../support/gateway.ts';
import { atEnd } from '../../support/shared.ts';
import { clever } from './clever.ts';
import { backend, KEY } from './setup.ts';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function scene() {
  const good = await backend('ollama', { reply: clever() });
  const bad = await backend('openai', { reply: clever('code_02') });
  const config = writeConfig({ enabledWorkflows: ['ml'], models: { backends: { good: good.entry, bad: bad.entry } } });
  const env = freshHome({ MODEL_KEY: KEY });
  const run = (...words: string[]) =>
    new Promise<Ran>((resolve) => {
      execFile(process.execPath, [BIN, ...words, '--config', config], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  return { good, bad, config, env, run };
}

/** Each of its commands is a process of its own. */
const MANY_PROCESSES_MS = 180_000;

test.each(['alone', 'through the gateway that runs'])('probes and compares, %s', probesAndCompares, MANY_PROCESSES_MS);

async function probesAndCompares(way: string): Promise<void> {
  const { config, env, run, bad } = await scene();
  if (way !== 'alone') await startServe(config, env);
  const compared = await run('ml', 'probe', '--compare', 'good', 'bad', '--categories', 'code');
  expect(compared.code).toBe(1);
  const time = '\\d+\\.\\d s';
  expect(compared.stdout).toMatch(
    new RegExp(
      [
        '^id +category +good +bad',
        `code_01 +code +passed +${time} +passed +${time}`,
        `code_02 +code +passed +${time} +failed +${time}`,
        `code_03 +code +passed +${time} +passed +${time}`,
        `passed +3 of 3 +${time} +2 of 3 +${time}\n$`,
      ].join('\n'),
    ),
  );
  expect(compared.stderr).toContain('good  3 of 3  ');
  const asJson = await run('ml', 'probe', '--categories', 'word', '--json');
  expect(asJson.code).toBe(0);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    backends: [{ backend: 'good', results: [{ id: 'word_01', passed: true }, { id: 'word_02' }] }],
  });
  const all = await run('ml', 'probe');
  expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('23 of 23') });
  expect(all.stderr).not.toContain('Warning');
  await bad.service.stop();
  const one = await run('ml', 'probe', '--compare', 'good', 'bad', '--categories', 'sets');
  expect(one.code).toBe(1);
  expect(one.stdout).toContain('1 of 1');
  expect(one.stderr).toContain('bad: probe: the backend "bad"');
  const listed = await run('ml', 'backends');
  expect(listed.stdout).toMatch(/^good \(default\) +available\nbad +not available +it cannot be reached/);
  expect(await run('ml', 'probe', '--backend', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no backend is called "nobody": there are good, bad, client'),
  });
}

test('a config that changes: what is generated goes on, what comes next has the new one', async () => {
  const { service, entry } = await backend('ollama');
  const other = await backend('openai', { reply: () => 'from the other' });
  const config = { enabledWorkflows: ['ml'], models: { backends: { local: entry } } };
  const file = writeConfig(config);
  const { url } = await openServe(file, freshHome({ MODEL_KEY: KEY }));
  const client = await connectClient('v1', 'agent', { url });
  atEnd(() => client.close());
  const call = async (tool: string, args: Record<string, unknown> = {}) =>
    (await client.call(tool, args)).structuredContent;
  service.hold();
  const running = call('ml_generate', { prompt: 'first' });
  await service.whenAsked(1);
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, ...config, models: { backends: { next: other.entry } } }));
  await expect.poll(async () => (await call('ml_backends')).default, { timeout: 20_000 }).toBe('next');
  expect(await call('ml_generate', { prompt: 'x' })).toMatchObject({ response: 'from the other' });
  service.release();
  expect(await running).toEqual({ response: 'echo first', backend: 'local', model: 'tiny' });
});
