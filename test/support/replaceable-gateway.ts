import path from 'node:path';
import { expect } from 'vitest';
import type { SpawnedClient } from './clients/raw-client.ts';
import {
  fixture,
  linesOf,
  pidsIn,
  type ServeProcess,
  startServe,
  startStdio,
  temporaryFolder,
  upstreams,
} from './gateway.ts';
import { endChild, isAlive } from './processes.ts';
import { type AtEnd, atEnd } from './shared.ts';

/** A `viaduct serve` with the upstream `t`, which can be ended and started again, and its clients of `viaduct stdio`. */
export class ReplaceableGateway {
  readonly #whenDone: AtEnd;
  readonly #log: string;
  readonly #config: string;
  #serving: ServeProcess;

  private constructor(
    serving: ServeProcess,
    { config, log, whenDone }: { config: string; log: string; whenDone: AtEnd },
  ) {
    this.#serving = serving;
    this.#config = config;
    this.#log = log;
    this.#whenDone = whenDone;
  }

  static async start(whenDone: AtEnd = atEnd): Promise<ReplaceableGateway> {
    const log = path.join(temporaryFolder(whenDone), 'log');
    const config = upstreams({ t: fixture('talkative', `--log=${log}`) });
    return new ReplaceableGateway(await startServe(config, undefined, whenDone), { config, log, whenDone });
  }

  /** A client that has said nothing yet. */
  connect(): SpawnedClient {
    return startStdio(this.#config, this.#serving.env, { atEnd: this.#whenDone });
  }

  end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    return endChild(this.#serving.child, signal);
  }

  async startAgain(): Promise<void> {
    this.#serving = await startServe(this.#config, this.#serving.env, this.#whenDone);
  }

  /** Resolves when so many calls of tool `wait` have reached the upstream, of all gateways. */
  async hasCalls(count: number): Promise<void> {
    await expect.poll(() => linesOf(this.#log).filter((line) => line.startsWith('call wait')).length).toBe(count);
  }

  /** Resolves when only one process of the upstream is left. */
  async hasOneUpstream(): Promise<void> {
    await expect.poll(() => pidsIn(this.#log).filter(isAlive).length).toBe(1);
  }
}

/** Clients with open calls, whose gateway is killed and started again `rounds` times. Returns how often each was answered. */
export async function killRounds(clients: number, rounds: number): Promise<readonly number[]> {
  const gateway = await ReplaceableGateway.start();
  const all = Array.from({ length: clients }, () => gateway.connect().client);
  await Promise.all(all.map((client) => client.initialize().then(() => client.toolNames())));
  for (let round = 1; round <= rounds; round++) {
    const open = all.map((client) => client.call('t_wait', { ms: 3_600_000 }, `"open ${round}"`));
    await gateway.hasCalls(round * clients);
    await gateway.end();
    const answers = await Promise.all(open);
    for (const answer of answers) expect(answer._meta['viaduct/gateway']).toMatchObject({ reason: 'exited' });
    const said = all.map((client) => client.callText('t_echo', { text: `round ${round}` }));
    await gateway.startAgain();
    for (const text of await Promise.all(said)) expect(text).toBe(`talkative: round ${round}`);
  }
  await gateway.hasOneUpstream();
  const isOpenCall = (id: unknown) => typeof id === 'string' && id.startsWith('open');
  return all.map(({ messages }) => messages.filter(({ value }) => isOpenCall(value.id)).length);
}
