import type { Entry, Gateway, Scene } from '../scene.ts';
import { ClientMessages } from './client-messages.ts';
import { HttpFuzzer } from './http-fuzzer.ts';
import { LineClient } from './line-client.ts';
import { Probe, type Sample } from './probe.ts';
import { StdioFuzzer } from './stdio-fuzzer.ts';

const PROBE_EVERY = 50;
/** Share of the messages after which memory counts as warm. */
const WARM_UP = 0.1;
const MAX_GROWTH_MIB = 64;
/** Silence and whole of a call to a fuzzed upstream; an answer must be there a little later. */
const CALL_MS = 400;
const TOTAL_MS = 2_000;
const SLACK_MS = 5_000;
const CONCURRENCY = 32;
const GOOD_EVERY = 5;

export interface FuzzOutcome {
  readonly name: string;
  readonly messages: number;
  readonly seconds: number;
  readonly unanswered: number;
  /** Resident memory after the warm-up and at the end, in MiB. */
  readonly rss: readonly [number, number];
  /** Other figures, for people. */
  readonly notes: string;
  readonly problems: readonly string[];
}

/** Mutated messages of a client over stdio. */
export async function fuzzStdio(scene: Scene, messages: number, seed: number): Promise<FuzzOutcome> {
  const probe = new Probe(scene.folder);
  const gateway = scene.startStdio({ u: fuzzer(scene, seed) }, probe.env);
  const client = new LineClient(gateway.child.stdout!, gateway.child.stdin!);
  await client.initialize();
  const fuzz = new StdioFuzzer(client, new ClientMessages(seed));
  const watched = await inRounds(gateway, probe, messages, (count) => fuzz.round(count));
  fuzz.checkAll();
  return {
    name: 'client over stdio',
    ...watched,
    unanswered: fuzz.unanswered,
    notes: `${client.nullAnswers} answers without an id`,
    problems: [...fuzz.problems, ...watched.problems],
  };
}

/** Mutated messages of a client over HTTP, some with bad headers. */
export async function fuzzHttp(scene: Scene, messages: number, seed: number): Promise<FuzzOutcome> {
  const probe = new Probe(scene.folder);
  const gateway = await scene.serve({ u: fuzzer(scene, seed) }, probe.env);
  const fuzz = new HttpFuzzer(gateway.url, new ClientMessages(seed));
  await fuzz.open();
  const watched = await inRounds(gateway, probe, messages, (count) => fuzz.round(count));
  await fuzz.close();
  const statuses = [...fuzz.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  return {
    name: 'client over HTTP',
    ...watched,
    unanswered: fuzz.unanswered,
    notes: statuses.join(', '),
    problems: [...fuzz.problems, ...watched.problems],
  };
}

/** Calls to an upstream that answers with mutations, and calls to a good one beside them. */
export async function fuzzUpstream(scene: Scene, messages: number, seed: number): Promise<FuzzOutcome> {
  const probe = new Probe(scene.folder);
  const timeouts = { callMs: CALL_MS, totalMs: TOTAL_MS, connectMs: 10_000, listMs: 5_000 };
  const upstreams = { bad: { ...fuzzer(scene, seed), timeouts }, good: fuzzer(scene, seed) };
  const gateway = scene.startStdio(upstreams, probe.env);
  const client = new LineClient(gateway.child.stdout!, gateway.child.stdin!);
  await client.initialize({ roots: {}, sampling: {}, elicitation: {} });
  const calls = new UpstreamCalls(client);
  await calls.call('good_good');
  const watched = await inRounds(gateway, probe, messages, (count) => calls.round(count));
  return {
    name: 'upstream',
    ...watched,
    unanswered: calls.unanswered,
    notes: `${calls.results} results, ${calls.failures} failures, ${calls.good} good calls beside them`,
    problems: [...calls.problems, ...client.unreadable.map((text) => `not JSON: ${text}`), ...watched.problems],
  };
}

class UpstreamCalls {
  readonly problems: string[] = [];
  unanswered = 0;
  results = 0;
  failures = 0;
  good = 0;
  readonly #client: LineClient;

  constructor(client: LineClient) {
    this.#client = client;
  }

  async round(count: number): Promise<void> {
    let left = count;
    const worker = async () => {
      while (left > 0) {
        const turn = left--;
        await this.#fuzz();
        if (turn % GOOD_EVERY === 0) await this.#good();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }

  /** Gives the answer's text, or nothing where none came in time. */
  async call(name: string): Promise<string | undefined> {
    const params = `{"name":"${name}","arguments":{}}`;
    return (await this.#client.request('tools/call', params, TOTAL_MS + SLACK_MS))?.text;
  }

  async #fuzz(): Promise<void> {
    const text = await this.call('bad_fuzz');
    if (text === undefined) {
      this.unanswered++;
      this.problems.push('a call to the fuzzed upstream was not answered');
    } else if (text.includes('viaduct/gateway') || text.includes('"error"')) this.failures++;
    else this.results++;
  }

  async #good(): Promise<void> {
    const text = await this.call('good_good');
    this.good++;
    if (text?.includes('"text":"good"') !== true) this.problems.push(`a call to the good upstream: ${text}`);
  }
}

function fuzzer(scene: Scene, seed: number): Entry {
  return scene.fixture('fuzzer', [`--seed=${seed}`]);
}

/** Sends in rounds and looks at the gateway after the warm-up and at the end. */
async function inRounds(gateway: Gateway, probe: Probe, messages: number, round: (count: number) => Promise<void>) {
  const from = performance.now();
  const problems: string[] = [];
  let warm: Sample | undefined;
  for (let sent = 0; sent < messages && isRunning(gateway); sent += PROBE_EVERY) {
    await round(Math.min(PROBE_EVERY, messages - sent));
    if (warm === undefined && sent >= messages * WARM_UP) warm = await probe.sample(gateway.child);
  }
  const seconds = (performance.now() - from) / 1000;
  if (!isRunning(gateway)) {
    problems.push(`the gateway ended: ${gateway.stderr().slice(-500)}`);
    return { messages, seconds, rss: [Number.NaN, Number.NaN] as const, problems };
  }
  const last = await probe.sample(gateway.child);
  const growth = last.rssMiB - warm!.rssMiB;
  if (growth > MAX_GROWTH_MIB) problems.push(`memory grew by ${growth.toFixed(1)} MiB`);
  if (last.isPolluted) problems.push('Object.prototype has got a property');
  const lines = gateway.stderr().split('\n');
  const faults = lines.filter((line) => line.includes('a fault of the gateway'));
  problems.push(...faults.map((line) => `logged: ${line.slice(0, 600)}`));
  return { messages, seconds, rss: [warm!.rssMiB, last.rssMiB] as const, problems };
}

function isRunning({ child }: Gateway): boolean {
  return child.exitCode === null && child.signalCode === null;
}
