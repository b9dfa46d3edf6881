import { canonicalJson, fingerprint } from '../../core/json/canonical.ts';
import { parseExactJson } from '../../core/json/exact-json.ts';
import type { NewEvent, StoredEvent } from '../../core/stores/event-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import { readTimestamp } from './timestamp.ts';

/** A longer line is none for go-ai. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Far more than needed, and far less than would end the process. */
const MAX_DEPTH = 100;

/** One line of go-ai's files. What is empty is left out, as there. */
export interface MetricEvent {
  readonly type: string;
  /** RFC 3339, as it was written: often more precise than milliseconds. */
  readonly timestamp: string;
  readonly agent_id?: string;
  readonly repo?: string;
  /** Nanoseconds. */
  readonly duration?: number | bigint;
  /** As `parseExactJson` gives it. */
  readonly data?: object;
}

/** Returns the event in a line; `undefined` if the line is malformed. */
export function readMetricLine(line: string): MetricEvent | undefined {
  let value: unknown;
  try {
    value = parseExactJson(line);
  } catch {
    return undefined;
  }
  return isPlainObject(value) && isEvent(value) && whyNoValue(value) === undefined ? tidy(value) : undefined;
}

function isEvent(value: Readonly<Record<string, unknown>>): value is Record<string, unknown> & MetricEvent {
  const { type, timestamp, agent_id, repo, duration, data } = value;
  return (
    typeof type === 'string' &&
    type !== '' &&
    typeof timestamp === 'string' &&
    readTimestamp(timestamp) !== undefined &&
    [agent_id, repo].every((text) => text === undefined || text === null || typeof text === 'string') &&
    (duration === undefined || duration === null || typeof duration === 'bigint' || Number.isInteger(duration)) &&
    (data === undefined || data === null || isPlainObject(data))
  );
}

/**
 * Returns the event without empty members, and with texts that every database stores unchanged: otherwise it would not
 * be recognized.
 */
export function tidy({ type, timestamp, agent_id, repo, duration, data, ...rest }: MetricEvent): MetricEvent {
  return {
    type: storableText(type),
    timestamp,
    ...(agent_id && { agent_id: storableText(agent_id) }),
    ...(repo && { repo: storableText(repo) }),
    ...(duration && { duration }),
    ...(data && Object.keys(data).length > 0 && { data }),
    ...rest,
  };
}

/** Returns the line of an event, without its end. */
export function metricLine(event: MetricEvent): string {
  return objectText(event);
}

/** Returns why an event would not survive as a line; `undefined` if it does. */
export function whyNoLine(event: MetricEvent): string | undefined {
  const obstacle = whyNoValue(event);
  if (obstacle !== undefined) return obstacle;
  if (Buffer.byteLength(metricLine(event)) <= MAX_LINE_BYTES) return undefined;
  return `the event is too large: ${MAX_LINE_BYTES} bytes of JSON are allowed`;
}

/** Returns the identity of an event: the same line is the same event, in any order of its members. */
export function keyOf(event: MetricEvent): string {
  return fingerprint(event);
}

export function toStored(event: MetricEvent): NewEvent {
  const { type, agent_id: agent, repo, ...body } = event;
  const at = readTimestamp(event.timestamp)!;
  return { kind: 'metric', at, type, agent, repo, body: objectText(body), key: keyOf(event) };
}

export function fromStored({ at, type, agent, repo, body }: StoredEvent): MetricEvent {
  const { timestamp = new Date(at).toISOString(), ...rest } = parseExactJson(body) as { readonly timestamp?: string };
  return tidy({ type, timestamp, ...(agent && { agent_id: agent }), ...(repo && { repo }), ...rest });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Its members in the order in which they are, what is in them as Go sorts it. */
function objectText(value: object): string {
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

function whyNoValue(value: object): string | undefined {
  if (!isNestedWithin(value, MAX_DEPTH)) return `data is nested too deeply: ${MAX_DEPTH - 1} levels are allowed`;
  return areNumbersFinite(value) ? undefined : 'a number in data is too large';
}

/** Go cannot read a number beyond those of 64 bits with a fraction, and the whole line with it. */
function areNumbersFinite(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return Number.isFinite(Number(value));
  return typeof value !== 'object' || value === null || Object.values(value).every(areNumbersFinite);
}

function isNestedWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isNestedWithin(member, levels - 1));
}
