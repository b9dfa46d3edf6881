import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RawMessage } from '../../support/clients/raw-client.ts';
import {
  connectStdio,
  fixture,
  linesOf,
  openStdio,
  pidsIn,
  startStdio,
  statusOf,
  temporaryFolder,
  upstreams,
  writeConfig,
} from '../../support/gateway.ts';
import { isAlive } from '../../support/processes.ts';

const good = fixture('hostile');
const mode = (name: string, ...args: string[]) => fixture('hostile', `--mode=${name}`, ...args);

/** Status of one upstream of a gateway that runs for this question only. */
const upstreamOf = async (config: string, key: string): Promise<any> =>
  (await statusOf(config)).upstreams.find((upstream: any) => upstream.key === key);

/** Facts for programs in a failed call. */
const factsOf = (result: any) => result._meta?.['viaduct/gateway'];

describe('one bad upstream beside a good one', () => {
  test('hung, missing and crashing ones do not delay the first list, and each has its state', async () => {
    const entries = {
      hung: mode('silent-start'),
      missing: { command: 'no-such-command-anywhere' },
      crashing: mode('crash-at-start'),
      good,
    };
    const config = writeConfig({ upstreams: entries });
    const client = await openStdio(config);
    await client.initialize();
    // Waiting for the hung one would be waiting for its 30 s; the good one may be a little late on a busy machine.
    await expect.poll(() => client.toolNames()).toContain('good_echo');
    expect((await client.toolNames()).filter((name) => !name.startsWith('good_'))).toEqual([]);
    expect(await client.callText('good_echo', { text: 'still here' })).toBe('still here');
  });

  test('the three have three typed states', async () => {
    const entries = {
      hung: { ...mode('silent-start'), timeouts: { connectMs: 60_000 } },
      missing: { command: 'no-such-command-anywhere' },
      crashing: mode('crash-at-start'),
      good,
    };
    const config = writeConfig({ upstreams: entries });
    const client = await openStdio(config);
    await client.initialize();
    await client.toolNames();
    const failures = await Promise.all(['missing_x', 'crashing_x'].map((name) => client.call(name)));
    expect(failures.map((result) => result.isError)).toEqual([true, true]);
    expect(factsOf(failures[0])).toMatchObject({ upstream: 'missing', reason: 'not_connected', effect: 'none' });
    expect(factsOf(failures[1])).toMatchObject({ upstream: 'crashing', reason: 'circuit_open', effect: 'none' });
  });
});

describe('an upstream that cannot start', () => {
  test('a missing command is reported with the folders that were searched', async () => {
    const status = await upstreamOf(upstreams({ missing: { command: 'no-such-command-anywhere' } }), 'missing');
    expect(status.state).toBe('failed');
    expect(status.reason).toContain('command "no-such-command-anywhere" not found. Searched: ');
    expect(status.reason).toContain(process.env.PATH!.split(':')[0]);
  });

  test.each([
    ['a folder as command', { command: '/' }, 'is a folder, not a program'],
    ['a missing working folder', { ...good, cwd: '/no/such/folder' }, 'does not exist'],
    ['an error to initialize', mode('init-error'), 'no licence'],
    ['an unknown protocol version', mode('bad-version'), '1999-01-01'],
  ])('%s: failed, once, with the reason', async (_what, entry, reason) => {
    const status = await upstreamOf(upstreams({ bad: entry }), 'bad');
    expect(status).toMatchObject({ state: 'failed', starts: expect.any(Number) });
    expect(status.starts).toBeLessThanOrEqual(1);
    expect(status.reason).toContain(reason);
  });

  test('one that exits at once is tried five times, then left alone, and its last words are shown', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const config = upstreams({ crashing: { ...mode('crash-at-start', `--log=${log}`), era: 'legacy' }, good });
    const client = await openStdio(config);
    await client.initialize();
    const result = await client.call('crashing_anything');
    expect(result.isError).toBe(true);
    expect(factsOf(result).reason).toBe('circuit_open');
    expect(result.content[0].text).toContain('viaduct sync crashing');
    expect(pidsIn(log)).toHaveLength(5);
    const status = await upstreamOf(config, 'crashing');
    expect(status.lastError).toContain('process exited (code 3)');
    expect(status.stderr).toContain('cannot open the database');
  });
});

describe('an upstream that dies', () => {
  test('during a call: a definite answer at once, the other calls too, and the next call works', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const client = await connectStdio(upstreams({ bad: fixture('hostile', `--log=${log}`) }));
    await client.toolNames();
    const hanging = client.call('bad_hang');
    const died = await client.call('bad_die');
    expect(died.isError).toBe(true);
    expect(factsOf(died)).toMatchObject({ upstream: 'bad', reason: 'exited', effect: 'unknown', retryable: true });
    expect(died.content[0].text).toContain('process exited (code 7)');
    expect(factsOf(await hanging).reason).toBe('exited');
    expect(await client.callText('bad_echo', { text: 'again' })).toBe('again');
    expect(pidsIn(log)).toHaveLength(2);
    expect(linesOf(log).filter((line) => line.startsWith('call die'))).toHaveLength(1);
  });

  test('again and again: it ends in a crash loop, its tools are gone, one notice tells', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const client = await connectStdio(upstreams({ bad: mode('crash-after-init', `--log=${log}`), good }));
    const result = await client.call('bad_hang');
    expect(['exited', 'circuit_open']).toContain(factsOf(result).reason);
    await expect.poll(() => client.toolNames()).not.toContain('bad_echo');
    await expect.poll(async () => factsOf(await client.call('bad_echo')).reason).toBe('circuit_open');
    expect(pidsIn(log)).toHaveLength(5);
    expect(await client.callText('good_echo', { text: 'fine' })).toBe('fine');
  });
});

describe('an upstream that is silent', () => {
  test('a call without an answer ends at its limit, the upstream is told, and stays usable', async () => {
    const log = path.join(temporaryFolder(), 'log');
    const entry = { ...fixture('hostile', `--log=${log}`), timeouts: { callMs: 1_000 } };
    const client = await connectStdio(upstreams({ slow: entry }));
    await client.toolNames();
    const result = await client.call('slow_hang');
    expect(factsOf(result)).toMatchObject({ reason: 'timeout', effect: 'unknown' });
    await expect.poll(() => linesOf(log).some((line) => line.includes('notifications/cancelled'))).toBe(true);
    const callId = Number(/call hang (\d+)/.exec(linesOf(log).join('\n'))![1]);
    const cancelled = linesOf(log).find((line) => line.includes('notifications/cancelled'))!;
    expect(JSON.parse(cancelled.slice(cancelled.indexOf('{'))).requestId).toBe(callId);
    expect(await client.callText('slow_echo', { text: 'alive' })).toBe('alive');
  });

  test('progress keeps a call alive beyond its limit', async () => {
    const entry = { ...good, timeouts: { callMs: 1_000 } };
    const client = await connectStdio(upstreams({ slow: entry }));
    await client.toolNames();
    const params = { name: 'slow_slow', arguments: { steps: 6, everyMs: 250 }, _meta: { progressToken: 'p' } };
    const answer = await client.request('tools/call', params);
    expect(answer.value.result.content[0].text).toBe('done');
    expect(client.notifications('notifications/progress')).toHaveLength(6);
  });

  test('one that never answers tools/list is waiting, and is called all the same', async () => {
    const entry = { ...mode('hang-list'), timeouts: { listMs: 200 } };
    const config = upstreams({ quiet: entry, good });
    const status = await upstreamOf(config, 'quiet');
    expect(status.state).toBe('waiting');
    const client = await connectStdio(config);
    expect(await client.toolNames()).toContain('good_echo');
    expect(await client.callText('quiet_echo', { text: 'unlisted' })).toBe('unlisted');
  });

  test('a list that comes late is taken, with one notice', async () => {
    const entry = { ...mode('slow-list'), timeouts: { listMs: 200 } };
    const client = await connectStdio(upstreams({ late: entry, good }));
    expect(await client.toolNames()).not.toContain('late_echo');
    await client.waitFor((message) => message.value.method === 'notifications/tools/list_changed');
    await expect.poll(() => client.toolNames()).toContain('late_echo');
    expect(client.notifications('notifications/tools/list_changed')).toHaveLength(1);
  });
});

describe('an upstream that talks too much', () => {
  test('noise on standard output is skipped and counted', async () => {
    const config = upstreams({ noisy: mode('stdout-logs') });
    const client = await connectStdio(config);
    await client.toolNames();
    expect(await client.callText('noisy_echo', { text: 'through' })).toBe('through');
    const status = await upstreamOf(config, 'noisy');
    expect(status.state).toBe('ready');
    expect(status.faults.noise).toBeGreaterThanOrEqual(10);
    expect(status.faults.noiseSamples).toHaveLength(3);
  });

  test('50 MB on standard error during a call do not stop it', async () => {
    const client = await connectStdio(upstreams({ loud: mode('stderr-flood') }));
    await client.toolNames();
    expect(await client.callText('loud_go', { text: 'heard' })).toBe('after the flood');
  });

  test.each([12, 50])('a result of %i MB arrives byte for byte', async (mib) => {
    const client = await connectStdio(upstreams({ large: good }));
    await client.toolNames();
    const answer = await client.request('tools/call', { name: 'large_big', arguments: { mib } }, '"large"');
    const text = 'x'.repeat(mib * 1024 * 1024);
    expect(
      answer.text === `{"jsonrpc":"2.0","id":"large","result":{"content":[{"type":"text","text":"${text}"}]}}`,
    ).toBe(true);
  });

  test('a result over the limit fails its own call and nothing else', async () => {
    const config = writeConfig({ upstreams: { large: good }, limits: { frameBytes: 1024 * 1024 } });
    const client = await connectStdio(config);
    await client.toolNames();
    const [tooLarge, echoed] = await Promise.all([
      client.call('large_big', { mib: 3 }),
      client.callText('large_echo', { text: 'small' }),
    ]);
    expect(factsOf(tooLarge)).toMatchObject({ reason: 'too_large', effect: 'unknown' });
    expect(echoed).toBe('small');
    expect(await client.callText('large_echo', { text: 'next' })).toBe('next');
  });
});

describe('lists that are not as they should be', () => {
  test('pages are followed to the end, in order', async () => {
    const client = await connectStdio(upstreams({ p: mode('pages') }));
    const names = await client.toolNames();
    expect(names).toEqual(Array.from({ length: 26 }, (_, index) => `p_t${String(index).padStart(2, '0')}`));
  });

  test.each(['page-loop-new', 'page-loop-same'])('%s: bounded, reported, usable', async (name) => {
    const config = upstreams({ loop: mode(name), good });
    const status = await upstreamOf(config, 'loop');
    expect(status.state).toBe('ready');
    expect(status.listErrors[0]).toContain('never ends');
    const client = await connectStdio(config);
    expect(await client.toolNames()).toContain('good_echo');
  });

  test('one bad tool does not hide the good ones', async () => {
    const config = upstreams({ mixed: mode('bad-tools') });
    const client = await connectStdio(config);
    expect(await client.toolNames()).toEqual(
      ['good0', 'good1', 'good2', 'good3', 'good4', 'noType', 'noSchema', 'nullDescription'].map(
        (name) => `mixed_${name}`,
      ),
    );
    const status = await upstreamOf(config, 'mixed');
    expect(status.skipped.map((entry: any) => entry.name)).toEqual(['(no name)', '(no name)', 'arraySchema', 'good0']);
  });

  test('twenty list_changed with an equal list: no notice', async () => {
    const client = await connectStdio(upstreams({ same: good }));
    await client.toolNames();
    // The list may have become known, with a notice, while it was waited for.
    const known = client.messages.length;
    const isNotice = ({ value }: RawMessage) => value.method === 'notifications/tools/list_changed';
    await client.callText('same_say-changed', { times: 20 });
    // The next change is announced after all that came before it.
    await client.callText('same_add-tool', { name: 'later' });
    await client.waitFor(isNotice, known);
    await expect.poll(() => client.toolNames()).toContain('same_later');
    expect(client.messages.slice(known).filter(isNotice)).toHaveLength(1);
  });

  test('a list that was never asked for is not announced before the handshake is over', async () => {
    const client = await openStdio(upstreams({ good }));
    const initialized = await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    });
    expect(initialized.value.result.capabilities.tools).toEqual({ listChanged: true });
    await expect.poll(() => client.toolNames()).toContain('good_echo');
    expect(client.notifications('notifications/tools/list_changed')).toHaveLength(0);
  });
});

describe('what is left behind', () => {
  const stubborn = (log: string) =>
    upstreams({ stubborn: mode('grandchild', `--log=${log}`), good: fixture('hostile', `--log=${log}`) });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'end of input', 'SIGKILL'])(
    'after %s of the gateway: nothing',
    async (how) => {
      const log = path.join(temporaryFolder(), 'log');
      const { client, child } = startStdio(stubborn(log));
      await client.initialize();
      await expect.poll(() => client.toolNames()).toContain('stubborn_echo');
      await expect.poll(() => pidsIn(log)).toHaveLength(3);
      const pids = pidsIn(log);
      expect(pids.every(isAlive)).toBe(true);
      onTestFinished(() => {
        for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
      });
      if (how === 'end of input') child.stdin!.end();
      else child.kill(how as NodeJS.Signals);
      await expect.poll(() => pids.filter(isAlive), { timeout: 5_000, interval: 100 }).toEqual([]);
    },
  );
});
