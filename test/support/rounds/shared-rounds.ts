import type { SpawnedClient } from '../clients/raw-client.ts';
import { pidsIn, startStdio } from '../gateway.ts';
import { gatewayLog, loggedConfig, sharedHome } from '../shared-gateways.ts';

const NAMES = ['one', 'two'];

/** Starts as many clients at the same time; returns how many gateways and processes of each upstream there have been. */
export async function startRound(
  count: number,
): Promise<{ readonly gateways: number; readonly processes: readonly number[] }> {
  const ends: (() => void | Promise<void>)[] = [];
  const whenDone = (end: () => void | Promise<void>) => void ends.push(end);
  const { config, logOf } = loggedConfig(NAMES, { lists: { graceMs: 60_000 } });
  const env = sharedHome({}, whenDone);
  try {
    const clients = Array.from({ length: count }, () => startStdio(config, env, { atEnd: whenDone }));
    await Promise.all(clients.map(hasWorked));
    const starts = gatewayLog(env)
      .split('\n')
      .filter((line) => line.includes('"event":"shared-gateway"'));
    return { gateways: starts.length, processes: NAMES.map((name) => pidsIn(logOf(name)).length) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** The client has a list of all upstreams. */
async function hasWorked({ client }: SpawnedClient): Promise<void> {
  await client.initialize();
  await client.toolNames();
}
