import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownStamp, stampText } from '../../../../src/core/processes/process-stamp.ts';
import { connectToDaemon } from '../../../../src/gateway/serving/daemon-record.ts';
import { type HttpServing, serveHttp } from '../../../../src/gateway/serving/serve-http.ts';
import { loadSettings } from '../../../../src/gateway/settings/load-settings.ts';
import { daemonPaths } from '../../../../src/gateway/settings/paths.ts';
import { freshHome, writeConfig } from '../../../support/gateway.ts';
import { startHeld } from '../../../support/held-server.ts';
import { HttpSession } from '../../../support/http/http-client.ts';

const RESTARTS = 20;

async function stage(upstreams: object = {}) {
  const env = freshHome();
  const config = writeConfig({ upstreams, lists: { graceMs: 20_000 } });
  const paths = daemonPaths(env.VIADUCT_HOME!, config);
  const start = async (): Promise<HttpServing> => {
    const serving = await serveHttp(await loadSettings(config, env), env, { port: 0 });
    onTestFinished(() => serving.stop(0));
    serving.gateway.start();
    return serving;
  };
  /** Address of the gateway that other programs find. */
  const found = async (): Promise<string | undefined> => {
    const running = await connectToDaemon(paths);
    running?.socket.destroy();
    return running?.record.url;
  };
  const run = path.join(env.VIADUCT_HOME!, 'run');
  return { start, found, paths, run };
}

test('in 20 restarts, each beside a gateway that still drains, the newest gateway is the one that is found', async () => {
  const held = await startHeld('http in JSON', onTestFinished);
  const { start, found, run } = await stage({ u: held.entry });
  let current = await start();
  for (let restart = 1; restart <= RESTARTS; restart++) {
    const old = current;
    const client = await HttpSession.open(old.daemon.url);
    const call = client.callText('u_slow');
    await expect.poll(() => held.open()).toBe(1);
    // Another program looks for the gateway again and again: it finds the old one until that one stops.
    const stopped = old.stop(20_000);
    await expect.poll(found).toBeUndefined();
    current = await start();
    expect(await found()).toBe(current.daemon.url);
    await expect(start()).rejects.toThrow(`runs already: ${current.daemon.url}`);
    let isOver = false;
    const looks: (string | undefined)[] = [];
    const looking = (async () => {
      while (!isOver) looks.push(await found());
    })();
    held.release();
    await Promise.all([call, stopped]);
    looks.push(await found());
    isOver = true;
    await looking;
    expect(new Set(looks)).toEqual(new Set([current.daemon.url]));
    await expect(start()).rejects.toThrow('runs already');
  }
  await current.stop(0);
  expect(await found()).toBeUndefined();
  expect(readdirSync(run)).toEqual([]);
});

test('of gateways that start at the same time for one config, one starts', async () => {
  const { start, found } = await stage();
  const starts = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => start()));
  const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(started).toHaveLength(1);
  for (const one of starts) if (one.status === 'rejected') expect(one.reason.message).toContain('runs already');
  expect(await found()).toBe(started[0]!.daemon.url);
});

test('a gateway that ends leaves a record alone that is no longer its own', async () => {
  const { start, paths } = await stage();
  const serving = await start();
  const others = JSON.stringify({ ...JSON.parse(readFileSync(paths.record, 'utf8')), url: 'http://127.0.0.1:1/mcp' });
  writeFileSync(paths.record, others);
  await serving.stop(0);
  expect(readFileSync(paths.record, 'utf8')).toBe(others);
});

test('a start takes away the socket that a gateway on this machine left behind when it was killed', async () => {
  const { start, paths, run } = await stage();
  const first = await start();
  const record = JSON.parse(readFileSync(paths.record, 'utf8'));
  await first.stop(0);
  const left = path.join(run, 'left.sock');
  writeFileSync(left, '');
  // Its number was given to another process since: this one.
  const killed = stampText({ ...ownStamp(), startedAt: '1' });
  writeFileSync(paths.record, JSON.stringify({ ...record, socket: left, process: killed }));
  await start();
  expect(existsSync(left)).toBe(false);
});
