import { percentile } from '../../bench/measure.ts';
import type { Scene } from '../scene.ts';
import type { Sample } from './probe.ts';
import { type CallClient, SoakStage } from './soak-stage.ts';
import { lateMaxima, slopeOf } from './trend.ts';

const CLIENTS = 8;
/** Calls between two looks at what else is due. */
const ROUND = 500;
const LARGE_TEXT = 'x'.repeat(16 * 1024);
const MAX_MIB_PER_10K = 1;
/** The objects that may come and go during the calls: a process that is being replaced, a stream that is being closed. */
const TOLERANCE: Readonly<Record<(typeof COUNTED)[number], number>> = {
  fds: 4,
  timers: 6,
  sockets: 8,
  processListeners: 0,
  handleListeners: 16,
};
const COUNTED = ['fds', 'timers', 'sockets', 'processListeners', 'handleListeners'] as const;

export interface SoakPlan {
  readonly calls: number;
  readonly restarts: number;
  readonly sessions: number;
  readonly reloads: number;
  readonly samples: number;
  /** Memory is judged: a short run has too few calls for that. */
  readonly judgesMemory: boolean;
}

/** Fewer calls than these say nothing about memory. */
const CALLS_FOR_MEMORY = 40_000;

/** The changes for a number of calls: 200 restarts, 200 sessions and 50 reloads with 100,000. */
export function soakPlan(calls: number): SoakPlan {
  return {
    calls,
    restarts: Math.ceil(calls / 500),
    sessions: Math.ceil(calls / 500),
    reloads: Math.ceil(calls / 2_000),
    samples: Math.max(8, Math.round(calls / 2_000)),
    judgesMemory: calls >= CALLS_FOR_MEMORY,
  };
}

export interface SoakOutcome {
  readonly calls: number;
  readonly seconds: number;
  /** Calls to an upstream that was being restarted, and were told so. */
  readonly told: number;
  readonly samples: readonly (Sample & { readonly calls: number })[];
  /** Milliseconds of the first and the last tenth of the calls to steady upstreams. */
  readonly first: { readonly p50: number; readonly p99: number };
  readonly last: { readonly p50: number; readonly p99: number };
  /** MiB for each 10,000 calls over the last half. */
  readonly slope: number;
  readonly problems: readonly string[];
}

/** Calls and calls while upstreams, sessions and the config come and go; then looks whether anything has piled up. */
export async function soak(
  scene: Scene,
  plan: SoakPlan,
  onSample: (sample: Sample & { readonly calls: number }) => void = () => undefined,
): Promise<SoakOutcome> {
  const stage = new SoakStage(scene);
  await stage.open();
  const load = new Load(stage, await stage.clients(CLIENTS));
  const before = await stage.status();
  const samples: (Sample & { readonly calls: number })[] = [];
  const from = performance.now();
  const rounds = Math.ceil(plan.calls / ROUND);
  for (let round = 1; round <= rounds; round++) {
    const due = (count: number) => Math.floor((count * round) / rounds) - Math.floor((count * (round - 1)) / rounds);
    await load.round(Math.min(ROUND, plan.calls - load.calls), [
      () => times(due(plan.restarts), () => stage.restart()),
      () => times(due(plan.sessions), () => stage.session()),
      () => times(due(plan.reloads), () => stage.reload()),
    ]);
    if (due(plan.samples) === 0) continue;
    const sample = { ...(await stage.probe.sample(stage.gateway.child)), calls: load.calls };
    samples.push(sample);
    onSample(sample);
  }
  const seconds = (performance.now() - from) / 1000;
  const slope = slopeOf(samples.slice(samples.length / 2).map(({ calls, rssMiB }) => [calls / 10_000, rssMiB]));
  const problems = [...load.problems, ...pileUps(samples), ...changed(before, await stage.status(), stage.steady)];
  if (plan.judgesMemory && slope > MAX_MIB_PER_10K)
    problems.push(`memory grows by ${slope.toFixed(2)} MiB / 10k calls`);
  await load.close();
  return { calls: load.calls, seconds, told: load.told, samples, ...load.tenths(), slope, problems };
}

class Load {
  readonly problems: string[] = [];
  calls = 0;
  told = 0;
  readonly #stage: SoakStage;
  readonly #clients: readonly CallClient[];
  readonly #times: number[] = [];

  constructor(stage: SoakStage, clients: readonly CallClient[]) {
    this.#stage = stage;
    this.#clients = clients;
  }

  /** So many calls by all clients, with other work beside them. */
  async round(count: number, beside: readonly (() => Promise<void>)[]): Promise<void> {
    let left = count;
    const worker = async (client: CallClient) => {
      while (left-- > 0) await this.#call(client);
    };
    const other = async (work: () => Promise<void>) => {
      await work().catch((error: unknown) => this.problems.push(String(error)));
    };
    await Promise.all([...this.#clients.map(worker), ...beside.map(other)]);
  }

  tenths(): Pick<SoakOutcome, 'first' | 'last'> {
    const tenth = Math.ceil(this.#times.length / 10);
    const figures = (list: number[]) => {
      const sorted = list.sort((a, b) => a - b);
      return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
    };
    return { first: figures(this.#times.slice(0, tenth)), last: figures(this.#times.slice(-tenth)) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #call(client: CallClient): Promise<void> {
    const number = ++this.calls;
    const { steady, mortal } = this.#stage;
    const isMortal = number % 20 === 0;
    const key = isMortal ? mortal[number % mortal.length]! : steady[number % steady.length]!;
    const text = number % 10 === 1 ? LARGE_TEXT : `call ${number}`;
    const from = performance.now();
    const answer = await client.request('tools/call', `{"name":"${key}_echo","arguments":{"text":"${text}"}}`);
    if (!isMortal) this.#times.push(performance.now() - from);
    if (answer.includes(`"text":"${text}"`)) return;
    // A caller of an upstream that is just dying gets an answer that says so, which a model can read.
    if (isMortal && /"reason":"(exited|not_connected)"/.test(answer.toString('latin1'))) this.told++;
    else this.problems.push(`call ${number} to ${key}: ${answer.toString('latin1', 0, 300)}`);
  }
}

async function times(count: number, work: () => Promise<void>): Promise<void> {
  for (let left = count; left > 0; left--) await work();
}

function pileUps(samples: readonly Sample[]): string[] {
  return COUNTED.flatMap((name) => {
    const [third, last] = lateMaxima(samples.map((sample) => sample[name]));
    return last <= third + TOLERANCE[name] ? [] : [`${name} grow: ${third} in the third quarter, ${last} in the last`];
  });
}

type Status = Awaited<ReturnType<SoakStage['status']>>;

function changed(before: Status, after: Status, keys: readonly string[]): string[] {
  const pidOf = (status: Status, key: string) => status.find((one) => one.key === key)?.pid;
  return keys.flatMap((key) =>
    pidOf(before, key) === pidOf(after, key) ? [] : [`${key} has another process than at the start`],
  );
}
