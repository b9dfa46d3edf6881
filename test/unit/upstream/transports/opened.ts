import { onTestFinished } from 'vitest';
import type { RemoteEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { transportFor } from '../../../../src/upstream/transports/index.ts';
import type {
  Authorization,
  ClosedBecause,
  RequestFailure,
  Transport,
  TransportContext,
} from '../../../../src/upstream/transports/transport.ts';
import { jsonBytes, toBuffer } from '../../../../src/wire/bytes.ts';
import { remoteEntryOf } from '../entries.ts';

export const MAX_FRAME_BYTES = 100_000;
const CONTEXT = {
  log: createLog({ level: 'silent' }),
  env: {},
  maxFrameBytes: MAX_FRAME_BYTES,
} as unknown as TransportContext;

export interface Surroundings {
  /** A function is asked whenever the limit is. */
  readonly maxFrameBytes?: number | (() => number);
  /** The gateway's environment. */
  readonly env?: Record<string, string>;
  readonly authorization?: Authorization;
  /** Tools that the server has, as it wrote them. */
  readonly tools?: Record<string, object>;
}

/** A connection, and what it reported. */
export interface Opened {
  readonly transport: Transport;
  readonly send: (message: object) => void;
  readonly frames: string[];
  readonly failures: ({ readonly id: number } & RequestFailure)[];
  readonly closed: string[];
  /** Why, where the end was no fault; one for each in `closed`. */
  readonly because: (ClosedBecause | undefined)[];
  readonly lost: string[];
  /** How often it said that notices may have been missed. */
  readonly missed: () => number;
}

/** Opens what the entry says; it is closed with the test. */
export async function open(
  url: string,
  changes: Partial<RemoteEntry> = {},
  { tools = {}, maxFrameBytes = MAX_FRAME_BYTES, ...surroundings }: Surroundings = {},
): Promise<Opened> {
  const entry = remoteEntryOf(url, changes);
  const frames: string[] = [];
  const failures: Opened['failures'] = [];
  const closed: string[] = [];
  const because: Opened['because'] = [];
  const lost: string[] = [];
  let missed = 0;
  const transport = await (await transportFor(entry)).open(
    entry,
    {
      onFrame: (frame) => frames.push(toBuffer(frame.bytes()).toString()),
      onLostLine: ({ reason }) => lost.push(reason),
      onRequestFailed: (id, failure) => failures.push({ id, ...failure }),
      toolText: (name) => (tools[name] === undefined ? undefined : JSON.stringify(tools[name])),
      onStderr: () => undefined,
      isAwaited: () => true,
      onMissed: () => missed++,
      onClosed: (reason, why) => {
        closed.push(reason);
        because.push(why);
      },
    },
    {
      ...CONTEXT,
      ...surroundings,
      get maxFrameBytes() {
        return typeof maxFrameBytes === 'number' ? maxFrameBytes : maxFrameBytes();
      },
    },
  );
  onTestFinished(() => transport.close());
  const send = (message: object) => transport.send(jsonBytes({ jsonrpc: '2.0', ...message }));
  return { transport, send, frames, failures, closed, because, lost, missed: () => missed };
}
