import { readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { whyNotPrivate } from '../core/private-folder.ts';
import { writeWhole } from '../store/write-whole.ts';
import type { DaemonPaths } from './paths.ts';
import { VERSION } from './version.ts';

/** What a running gateway says of itself to this user's other programs. */
export interface DaemonRecord {
  readonly version: string;
  readonly pid: number;
  readonly url: string;
  readonly socket: string;
}

export function writeRecord(paths: DaemonPaths, record: Omit<DaemonRecord, 'version' | 'socket'>): void {
  writeWhole(paths.record, JSON.stringify({ version: VERSION, ...record, socket: paths.socket }));
}

export function removeRecord(paths: DaemonPaths): void {
  rmSync(paths.record, { force: true });
}

export interface RunningDaemon {
  readonly record: DaemonRecord;
  readonly socket: Socket;
}

/**
 * Connects to the gateway that serves a config, if one runs. A record left behind by a gateway that was killed is
 * nobody: only the connection proves that somebody is there.
 */
export async function connectToDaemon(paths: DaemonPaths): Promise<RunningDaemon | undefined> {
  const record = readRecord(paths);
  if (record === undefined) return undefined;
  const socket = await open(record.socket);
  return socket === undefined ? undefined : { record, socket };
}

function readRecord(paths: DaemonPaths): DaemonRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(paths.record, 'utf8')) as Partial<DaemonRecord>;
    const { socket, pid, url, version = '' } = record;
    if (typeof socket !== 'string' || typeof pid !== 'number' || typeof url !== 'string') return undefined;
    return whyNotPrivate(path.dirname(socket)) === undefined ? { version, pid, url, socket } : undefined;
  } catch {
    return undefined; // no gateway runs, or it has gone while we looked
  }
}

function open(file: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path: file, allowHalfOpen: true });
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}
