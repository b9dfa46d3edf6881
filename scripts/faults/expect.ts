import assert from 'node:assert/strict';
import type { RawClient, RawMessage } from '../../test/support/clients/raw-client.ts';
import { isAlive } from '../../test/support/processes.ts';
import { MARKER, type Scene, until } from './scene.ts';

/** JSON of which a row looks at some members only. */
// biome-ignore lint/suspicious/noExplicitAny: answers are what tests make of them
type Json = any;

/** A text for `echo` that also carries the secret. */
export const marked = (text: string): string => `${text} ${MARKER}`;

/** The part of a failed call that is for programs. */
export const factsOf = (result: Json): Json => result?._meta?.['viaduct/gateway'];

/**
 * Not `assert.ok`: without a message, Node 20 looks for one in the source, and takes minutes in translated files.
 * @throws AssertionError that names what does not hold
 */
export function assertThat(what: string, condition: boolean): asserts condition {
  assert.equal(condition, true, `does not hold: ${what}`);
}

/** The call failed in the gateway for this reason, with a text that a model can read. */
export function assertFailed(result: Json, expected: { reason: string; upstream?: string; effect?: string }): void {
  const facts = factsOf(result);
  assertThat(`no failure of the gateway: ${JSON.stringify(result).slice(0, 300)}`, facts !== undefined);
  assert.equal(facts.reason, expected.reason, result.content?.[0]?.text);
  assert.equal(facts.upstream, expected.upstream ?? 'bad');
  if (expected.effect !== undefined) assert.equal(facts.effect, expected.effect);
  assert.equal(typeof facts.retryable, 'boolean');
  assert.equal(result.isError, true);
  assertThat('the text names the upstream', result.content[0].text.includes(facts.upstream));
}

/** The upstream answers `echo`: at once, or within `ms` after it was restarted. */
export async function assertEchoes(client: RawClient, tool = 'bad_echo', ms = 3_000): Promise<void> {
  const text = marked(`echo of ${tool}`);
  const answer = await inTime(`${tool} answers`, ms, client.callText(tool, { text }));
  assert.equal(answer, text);
}

/** @throws Error that names what was waited for, after `ms` */
export async function inTime<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms: ${what}`)), ms * PATIENCE);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Its result, and the time it took. */
export async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await work;
  return { value, ms: performance.now() - started };
}

/** Other tests beside these take their time: a run for the sake of behaviour only multiplies every limit by this. */
const PATIENCE = Number(process.env.FAULT_PATIENCE ?? 1);

/** Asserts that it took at most this long. */
export function assertTook(what: string, ms: number, mostMs: number): void {
  assertAtMost(`ms to ${what}`, ms, mostMs * PATIENCE);
}

export function assertBetween(what: string, value: number, least: number, most: number): void {
  assertThat(`${what}: ${Math.round(value)}, not from ${least} to ${most}`, value >= least && value <= most);
}

export function assertAtMost(what: string, value: number, most: number): void {
  assertThat(`${what}: ${Math.round(value * 10) / 10}, at most ${most}`, value <= most);
}

/** Answers with this id, which must be exactly one. */
export function answersWith(client: RawClient, id: unknown): RawMessage[] {
  return client.messages.filter(({ value }) => value.id === id && value.method === undefined);
}

/** The tools of the list, when it has all of these. */
export async function listed(client: RawClient, names: readonly string[], ms = 10_000): Promise<string[]> {
  let present: string[] = [];
  await until(
    `${names.join(', ')} in the list`,
    async () => {
      present = await client.toolNames();
      return names.every((name) => present.includes(name));
    },
    ms,
  );
  return present;
}

/** The processes that were noted are gone within `ms`. */
export async function assertGone(pids: readonly number[], ms: number): Promise<void> {
  assertThat('fixtures noted their processes', pids.length > 0);
  const left = () => pids.filter((pid) => isAlive(pid));
  await until('all processes are gone', () => left().length === 0, ms).catch(() => {
    throw new Error(`left after ${ms} ms: ${left().length} of ${pids.length} processes`);
  });
}

/** Status of one upstream; of the gateway that runs with this config, or of one that is started for this question. */
export async function statusOf(scene: Scene, config: string, key = 'bad'): Promise<Json> {
  const { output } = await scene.viaduct(['status', '--json', '--config', config]);
  const json = output.slice(output.indexOf('{\n'), output.lastIndexOf('\n}') + 2);
  const status = JSON.parse(json).upstreams.find((upstream: Json) => upstream.key === key);
  assertThat(`there is a status of ${key}`, status !== undefined);
  return status;
}
