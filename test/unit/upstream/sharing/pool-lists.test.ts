import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UpstreamPool } from '../../../../src/upstream/sharing/upstream-pool.ts';
import { callOf, KeepingCaller } from '../calls.ts';
import { entryOf } from '../entries.ts';
import { fakeTime, realTime } from '../fake-time.ts';
import { optionsOf } from './memory-pool.ts';
import { MemoryProgram, type ServerEra } from './memory-server.ts';

beforeEach(fakeTime);
afterEach(realTime);

class Client extends KeepingCaller {
  override readonly client;

  constructor(sessionId: string) {
    super(sessionId);
    this.client = { ...new KeepingCaller(sessionId).client, clientId: sessionId };
  }
}

const settle = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms);

/** An upstream each of whose clients has a process of its own. */
function open(era: ServerEra) {
  const program = new MemoryProgram();
  program.era = era;
  const pool = new UpstreamPool(
    optionsOf(entryOf({ share: 'session', era: era === 'legacy' ? 'legacy' : '2026-07-28' }), { program }),
  );
  const call = (client: string) => pool.call(callOf('one', '{}', new Client(client)));
  return { program, pool, call, tools: () => pool.listing().tool.map(({ ownName }) => ownName) };
}

describe.each(['legacy', 'modern'] as const)(
  'what is offered of a %s upstream with a process for each client',
  (era) => {
    test('stays when the only client leaves', async () => {
      const { program, pool, call, tools } = open(era);
      pool.start();
      await settle();
      call('A');
      pool.onSessionEnded('A');
      await settle();
      expect(program.living).toEqual([]);
      expect(tools()).toEqual(['one']);
      expect([pool.era(), pool.instructions(), pool.isKnown('tool')]).toEqual([era, 'be kind', true]);
      expect(pool.status()).toMatchObject({ state: 'idle', counts: { tools: 1 }, sessions: 0 });
    });

    test('stays when the process of one client ends again and again', async () => {
      const { program, pool, call, tools } = open(era);
      pool.start();
      await settle();
      call('A');
      program.isBroken = true;
      program.living[0]!.crash();
      await settle(60_000);
      expect(tools()).toEqual(['one']);
      program.isBroken = false;
      call('B');
      await settle();
      expect(tools()).toEqual(['one']);
      expect(pool.status().state).toBe('ready');
    });

    test("is found out by a process that is nobody's where the first client left before anything was known", async () => {
      const { pool, program, call, tools } = open(era);
      pool.start();
      call('A');
      pool.onSessionEnded('A');
      await settle();
      expect(tools()).toEqual(['one']);
      expect(program.living).toHaveLength(1);
    });

    test("is found out by a process that is nobody's where that of the first client never works", async () => {
      const { pool, program, call, tools } = open(era);
      program.isBroken = true;
      pool.start();
      call('A');
      // After five ends the upstream is given up; the sixth process has no owner.
      for (let tries = 0; tries < 300 && program.began < 6; tries++) await settle(100);
      program.isBroken = false;
      await settle();
      expect(tools()).toEqual(['one']);
    });

    test('is as new as what the last ready process said', async () => {
      const { program, pool, call, tools } = open(era);
      pool.start();
      await settle();
      call('A');
      call('B');
      await settle();
      program.change(['two', 'three']);
      await settle();
      expect(tools()).toEqual(['two', 'three']);
      pool.onSessionEnded('A');
      pool.onSessionEnded('B');
      await settle();
      expect(tools()).toEqual(['two', 'three']);
    });

    test('is synced although the client leaves whose process was asked', async () => {
      const { program, pool, call } = open(era);
      pool.start();
      await settle();
      call('A');
      const held: (() => void)[] = [];
      program.later = (answer) => void held.push(answer);
      const syncing = pool.sync();
      await settle(0);
      pool.onSessionEnded('A');
      program.later = undefined;
      for (const answer of held) answer();
      await settle();
      expect(await syncing).toMatchObject({ total: 1 });
    });

    test('a misfit is shown whoever leaves', async () => {
      const { pool, call } = open(era);
      pool.start();
      await settle();
      call('A');
      pool.onMisfit('one', 'x is missing');
      pool.onSessionEnded('A');
      call('B');
      await settle();
      expect(pool.status().misfits).toEqual({ one: 'x is missing' });
    });

    test('no process is begun once it is stopped', async () => {
      const { pool, program, call } = open(era);
      pool.start();
      call('A');
      await pool.stop('the gateway stops');
      const { began } = program;
      pool.onSessionEnded('A');
      await settle(60_000);
      expect(program.began).toBe(began);
      expect(program.living).toEqual([]);
    });
  },
);
