import path from 'node:path';
import { expect } from 'vitest';
import type { RawClient } from '../clients/raw-client.ts';
import { fixture, linesOf, pidsIn, startStdio, temporaryFolder, upstreams, viaduct } from '../gateway.ts';
import { gatewaysOf, hasEnded, isAlive, processesWith } from '../processes.ts';
import { sharedHome } from '../shared-gateways.ts';

/** The outcome of rounds in which a shared gateway was killed. */
interface KillOutcome {
  /** The number of answers to the open calls of each client. */
  readonly answers: readonly number[];
  /** The longest time from a kill until every client worked again, in milliseconds. */
  readonly slowestMs: number;
  /** Processes that are left when the clients have gone and the last gateway was stopped. */
  readonly left: readonly number[];
}

/** Kills the shared gateway under clients with open calls, `rounds` times. The clients start the next one themselves. */
export async function killSharedRounds(clients: number, rounds: number): Promise<KillOutcome> {
  const log = path.join(temporaryFolder(), 'log');
  const config = upstreams({ t: fixture('talkative', `--log=${log}`) });
  const env = sharedHome();
  const all = Array.from({ length: clients }, () => startStdio(config, env));
  await Promise.all(all.map(({ client }) => client.initialize().then(() => client.toolNames())));
  let slowestMs = 0;
  for (let round = 1; round <= rounds; round++) {
    const open = all.map(({ client }) => client.call('t_wait', { ms: 3_600_000 }, `"open ${round}"`));
    await expect.poll(() => callsIn(log)).toBe(round * clients);
    const [pid, ...others] = gatewaysOf(config);
    expect(others).toEqual([]);
    process.kill(pid!, 'SIGKILL');
    const killedAt = performance.now();
    for (const answer of await Promise.all(open))
      expect(answer._meta['viaduct/gateway']).toMatchObject({ reason: 'exited' });
    const said = all.map(({ client }) => client.callText('t_echo', { text: `round ${round}` }));
    for (const text of await Promise.all(said)) expect(text).toBe(`talkative: round ${round}`);
    slowestMs = Math.max(slowestMs, performance.now() - killedAt);
    expect(gatewaysOf(config)).toHaveLength(1);
  }
  await expect.poll(() => pidsIn(log).filter(isAlive)).toHaveLength(1);
  const answers = all.map(({ client }) => openAnswersIn(client));
  for (const { client } of all) client.end();
  await Promise.all(all.map(({ child }) => hasEnded(child)));
  await viaduct(['stop', '--config', config], env);
  await expect.poll(() => pidsIn(log).filter(isAlive)).toEqual([]);
  return { answers, slowestMs, left: processesWith(config) };
}

function callsIn(log: string): number {
  return linesOf(log).filter((line) => line.startsWith('call wait')).length;
}

function openAnswersIn({ messages }: RawClient): number {
  return messages.filter(({ value }) => typeof value.id === 'string' && value.id.startsWith('open')).length;
}
