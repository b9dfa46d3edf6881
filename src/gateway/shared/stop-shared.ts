import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning, stampIn } from '../../core/processes/process-stamp.ts';
import { LocalClient } from '../client/local-client.ts';
import { connectToDaemon } from '../serving/daemon-record.ts';
import type { SharedRecord } from './shared-records.ts';
import { STOP_METHOD } from './stop-method.ts';

export interface Stopped {
  /** `was-gone`: there was only a record, which is removed. */
  readonly outcome: 'ended' | 'still-runs' | 'was-gone';
  /** Clients that it had. */
  readonly clients: number;
}

/** The time for open calls and for processes to end, in milliseconds. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

/** Tells a shared gateway to end, and waits until it has. One that does not answer gets a signal. */
export async function stopShared(record: SharedRecord): Promise<Stopped> {
  const running = await connectToDaemon({ record: record.file });
  if (running !== undefined) {
    const clients = await tellToStop(new LocalClient(running.socket));
    return { outcome: (await hasEnded(record)) ? 'ended' : 'still-runs', clients };
  }
  if (!isThere(record)) {
    rmSync(record.file, { force: true });
    return { outcome: 'was-gone', clients: 0 };
  }
  process.kill(record.pid, 'SIGTERM');
  return { outcome: (await hasEnded(record)) ? 'ended' : 'still-runs', clients: 0 };
}

async function tellToStop(client: LocalClient): Promise<number> {
  client.introduce('viaduct stop');
  const answer = await client.request(STOP_METHOD).catch(() => undefined); // it may be gone before it has answered
  client.close();
  return (answer as { clients?: number } | undefined)?.clients ?? 0;
}

/** Only a process that is certainly the gateway of the record. */
function isThere({ process: stamp }: SharedRecord): boolean {
  const found = stampIn(stamp);
  return found !== undefined && isRunning(found) === true;
}

async function hasEnded(record: SharedRecord): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS;
  while (isThere(record)) {
    if (performance.now() > until) return false;
    await pause(PAUSE_MS);
  }
  return true;
}
