import { onTestFinished } from 'vitest';
import type { RemoteEntry } from '../../../../src/core/upstream-entry.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { transportFor } from '../../../../src/upstream/transports/index.ts';
import type { Transport, TransportContext } from '../../../../src/upstream/transports/transport.ts';
import { jsonBytes, toBuffer } from '../../../../src/wire/bytes.ts';
import { remoteEntryOf } from '../entries.ts';

export const MAX_FRAME_BYTES = 100_000;
const CONTEXT = {
  log: createLog({ level: 'silent' }),
  maxFrameBytes: MAX_FRAME_BYTES,
} as unknown as TransportContext;

/** A connection, and what it reported. */
export interface Opened {
  readonly transport: Transport;
  readonly send: (message: object) => void;
  readonly frames: string[];
  readonly failures: { readonly id: number; readonly code: string; readonly reason: string; readonly effect: string }[];
  readonly closed: string[];
  readonly lost: string[];
}

/** Opens what the entry says; it is closed with the test. */
export async function open(url: string, changes: Partial<RemoteEntry>, maxFrameBytes?: number): Promise<Opened> {
  const entry = remoteEntryOf(url, changes);
  const frames: string[] = [];
  const failures: Opened['failures'] = [];
  const closed: string[] = [];
  const lost: string[] = [];
  const transport = await transportFor(entry).open(
    entry,
    {
      onFrame: (frame) => frames.push(toBuffer(frame.bytes()).toString()),
      onLostLine: ({ reason }) => lost.push(reason),
      onRequestFailed: (id, failure) => failures.push({ id, ...failure }),
      toolText: () => undefined,
      onStderr: () => undefined,
      isAwaited: () => true,
      onClosed: (reason) => closed.push(reason),
    },
    { ...CONTEXT, ...(maxFrameBytes !== undefined && { maxFrameBytes }) },
  );
  onTestFinished(() => transport.close());
  const send = (message: object) => transport.send(jsonBytes({ jsonrpc: '2.0', ...message }));
  return { transport, send, frames, failures, closed, lost };
}
