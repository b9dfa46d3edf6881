import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { spawnClient } from '../../support/clients/raw-client.ts';
import {
  BIN,
  fixture,
  freshHome,
  linesOf,
  pidsIn,
  startServe,
  startStdio,
  temporaryFolder,
  writeConfig,
} from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { endChild, hasEnded, isAlive } from '../../support/processes.ts';

const SECRET = 'marker-4b1d-plain-text';

/** Has the gateway fault when it gets SIGUSR2: code that its own never has. */
const faultyHome = (fault: string) =>
  freshHome({
    MARKER: SECRET,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${fault} });`)}`,
  });

function setUp() {
  const log = path.join(temporaryFolder(), 'upstream.log');
  const t = { ...fixture('talkative', `--log=${log}`), env: { TOKEN: `\${MARKER}` } };
  return { config: writeConfig({ upstreams: { t }, lists: { graceMs: 20_000 } }), log };
}

const fatalsIn = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 60);

describe('a fault of the gateway that nothing catches', () => {
  test('is logged, and ends all that viaduct serve has begun', async () => {
    const { config, log } = setUp();
    const env = faultyHome(`throw new Error('injected ${SECRET}')`);
    const serving = await startServe(config, env);
    const session = await HttpSession.open(serving.url);
    await session.toolNames();
    await session.callText('t_echo', { text: 'a' });
    const waiting = session.callText('t_wait', { ms: 60_000 }).catch(String);
    await expect.poll(() => linesOf(log).some((line) => line.startsWith('call wait'))).toBe(true);
    serving.child.kill('SIGUSR2');
    await hasEnded(serving.child);
    expect(serving.child.exitCode).toBe(70);
    await waiting;
    const fatals = fatalsIn(serving.stderr());
    expect(fatals).toMatchObject([{ event: 'fault' }]);
    expect(fatals[0].fault).toContain('Error: injected [secret]');
    expect(pidsIn(log).filter(isAlive)).toEqual([]);
    const audit = linesOf(path.join(env.VIADUCT_HOME!, 'audit', 'audit.jsonl')).map((line) => JSON.parse(line));
    expect(audit.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual(['t_echo ok', 't_wait error']);
  });

  test('ends viaduct stdio, a rejection too', async () => {
    const { config, log } = setUp();
    const { client, child } = startStdio(config, faultyHome('Promise.reject(new Error("injected"))'));
    await client.initialize();
    await client.toolNames();
    await client.call('t_echo', { text: 'a' });
    child.kill('SIGUSR2');
    await hasEnded(child);
    expect(child.exitCode).toBe(70);
    expect(pidsIn(log).filter(isAlive)).toEqual([]);
  });
});

test.skipIf(!existsSync('/dev/full'))('a log that cannot be written ends nothing', async () => {
  const config = writeConfig({ upstreams: { t: fixture('talkative') }, log: { level: 'debug' } });
  const script = `exec '${process.execPath}' '${BIN}' stdio --config '${config}' 2>/dev/full`;
  const { client, child } = spawnClient('sh', ['-c', script], freshHome());
  onTestFinished(() => endChild(child));
  await client.initialize();
  await client.toolNames();
  await client.call('t_echo', { text: 'a' });
  client.end();
  await hasEnded(child);
  expect(child.exitCode).toBe(0);
});
