import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigChangedError, findOrStartGateway } from '../../../../src/gateway/shared/find-or-start.ts';
import { StartFailure } from '../../../../src/gateway/shared/start-failure.ts';
import { linesOf, temporaryFolder } from '../../../support/gateway.ts';

/** A request whose gateway is a script that only reports. */
function requestWith(report: string, home = temporaryFolder()) {
  const folder = temporaryFolder();
  const [script, starts] = [path.join(folder, 'gateway.mjs'), path.join(folder, 'starts')];
  writeFileSync(
    script,
    `import fs from 'node:fs';
fs.appendFileSync(${JSON.stringify(starts)}, process.argv.slice(2).join(' ') + '\\n');
setTimeout(() => { fs.writeSync(3, ${JSON.stringify(report)}); process.exit(1); }, 300);`,
  );
  const config = { home, configPath: '/c/viaduct.yaml', isOfFolder: false, variables: [], env: {} };
  return { starts, request: { ...config, program: { command: process.execPath, args: [script] } } };
}

test('a start that fails is tried once, and all clients that wait get its text', async () => {
  const { request, starts } = requestWith('{"error":"the disk is full"}');
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => findOrStartGateway(request)));
  const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value));
  for (const reason of reasons) {
    expect(reason).toBeInstanceOf(StartFailure);
    expect(reason.message).toBe('the shared gateway could not be started: the disk is full');
  }
  expect(linesOf(starts)).toHaveLength(1);
  expect(linesOf(starts)[0]).toMatch(/^shared-gateway --config \/c\/viaduct\.yaml --key [\da-f]{20}$/);
});

test('a client that comes later tries again', async () => {
  const { request, starts } = requestWith('{"error":"the disk is full"}');
  await expect(findOrStartGateway(request)).rejects.toThrow('the disk is full');
  await expect(findOrStartGateway(request)).rejects.toThrow('the disk is full');
  expect(linesOf(starts)).toHaveLength(2);
});

test('a gateway that ends without a report is a failure', async () => {
  const { request } = requestWith('');
  await expect(findOrStartGateway(request)).rejects.toThrow('it ended during its start (exit code 1)');
});

test('a config that uses other variables by now has to be read again', async () => {
  const { request } = requestWith('{"hasOtherKey":true}');
  await expect(findOrStartGateway(request)).rejects.toThrow(ConfigChangedError);
});

test.each([
  ['others may write to', 'others may write to it', (run: string) => chmodSync(run, 0o777)],
  ['another user owns', 'it belongs to another user', (run: string) => chownSync(run, 12_345, 12_345)],
])('a folder that %s is not used', async (_name, problem, spoil) => {
  if (process.getuid?.() !== 0 && problem.includes('belongs')) return;
  const home = temporaryFolder();
  mkdirSync(path.join(home, 'run'), { mode: 0o700 });
  spoil(path.join(home, 'run'));
  const { request, starts } = requestWith('', home);
  expect(await findOrStartGateway(request)).toMatchObject({ level: 'warn', reason: expect.stringContaining(problem) });
  expect(linesOf(starts)).toEqual([]);
});

test('nor is one that is a link', async () => {
  const home = temporaryFolder();
  symlinkSync(temporaryFolder(), path.join(home, 'run'));
  const { request } = requestWith('', home);
  expect(await findOrStartGateway(request)).toMatchObject({
    level: 'warn',
    reason: expect.stringContaining('it is a link'),
  });
});
