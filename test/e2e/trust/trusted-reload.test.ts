import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { BIN } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { endChild } from '../../support/processes.ts';
import { atEnd } from '../../support/shared.ts';
import { creating, visitor } from './places.ts';

test('a gateway reads the config of its folder again once its new content is trusted, and not before', async () => {
  const { env, folder, plant, run, ranCommand, canary } = visitor();
  const harmless = creating(`${canary}-harmless`);
  const config = plant({ upstreams: { harmless } });
  await run('trust', '--yes');
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0'], { env, cwd: folder });
  atEnd(() => endChild(child));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await expect.poll(() => stdout).toContain('Stop with Ctrl-C');
  const session = await HttpSession.open(/listening on +(\S+)/.exec(stdout)![1]!);

  plant({ upstreams: { harmless, evil: creating(canary) } });
  await expect.poll(() => stderr).toMatch(/"event":"reload".*is not read again: it has changed since you trusted it/);
  expect(stderr).toContain(`viaduct trust ${folder}`);
  expect(await session.toolNames()).not.toContain('evil_echo');
  const status = JSON.parse((await run('status', '--json', '--config', config)).stdout);
  expect(status).toMatchObject({
    running: true,
    configNotices: [{ path: config, reason: 'changed', fix: `viaduct trust ${folder}` }],
  });
  expect(ranCommand()).toBe(false);

  expect((await run('trust', '--yes')).code).toBe(0);
  await expect.poll(() => session.toolNames()).toContain('evil_echo');
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ running: true, configNotices: [] });
});
