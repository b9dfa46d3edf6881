import { readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { whyNotPrivate } from '../../core/files/private-folder.ts';
import { isRunning, ownStamp, stampIn, stampText } from '../../core/processes/process-stamp.ts';
import { writeWhole } from '../../store/write-whole.ts';
import type { DaemonPaths } from '../settings/paths.ts';
import { VERSION } from '../version.ts';

/** The record that a running gateway leaves for this user's other programs. */
export interface DaemonRecord {
  readonly version: string;
  readonly pid: number;
  readonly url: string;
  readonly socket: string;
  /** Url for clients that speak JSON-RPC in lines, where there is a way in for them. */
  readonly tcp?: string | undefined;
  /** The process that it is (`ProcessStamp`); empty in records of older versions. */
  readonly process: string;
}

/**
 * Says which gateway serves a config.
 * @returns what removes the record. It leaves another gateway's alone: one may have started since.
 * @throws the system's error when it cannot be written
 */
export function writeRecord(
  { record: file }: DaemonPaths,
  record: Omit<DaemonRecord, 'version' | 'process'>,
): () => void {
  const text = JSON.stringify({ version: VERSION, ...record, process: stampText(ownStamp()) });
  writeWhole(file, text);
  return () => {
    if (textIn(file) === text) rmSync(file, { force: true });
  };
}

/**
 * Removes the socket of a gateway that was killed: the one in the record, and only where that gateway ran on this machine and
 * runs no more.
 */
export function removeLeftSocket({ record: file, socketFolder }: DaemonPaths): void {
  const record = readRecord(file);
  const stamp = stampIn(record?.process ?? '');
  if (record === undefined || stamp === undefined || isRunning(stamp) !== false) return;
  if (path.dirname(record.socket) === socketFolder) rmSync(record.socket, { force: true });
}

export interface RunningDaemon {
  readonly record: DaemonRecord;
  readonly socket: Socket;
}

/**
 * Connects to the gateway that serves a config, if one runs. A record may be left behind by a gateway that was
 * killed: only the connection proves that a gateway is there.
 */
export async function connectToDaemon({
  record: file,
}: Pick<DaemonPaths, 'record'>): Promise<RunningDaemon | undefined> {
  for (let tried: string | undefined; ; ) {
    const record = readRecord(file);
    // The one that we have read of may have stopped meanwhile, and another one started.
    if (record === undefined || record.socket === tried) return undefined;
    const socket = await open(record.socket);
    if (socket !== undefined) return { record, socket };
    tried = record.socket;
  }
}

/** Returns the URLs of the gateway that a record reports; none if there is no such record. The gateway may have ended. */
export function recordedUrls(file: string): readonly string[] {
  const { url, tcp } = readRecord(file) ?? {};
  return [url, tcp].filter((each) => each !== undefined);
}

function readRecord(file: string): DaemonRecord | undefined {
  try {
    const record = JSON.parse(textIn(file) ?? '') as Partial<DaemonRecord>;
    const { socket, pid, url, tcp, version = '', process: stamp = '' } = record;
    if (typeof socket !== 'string' || typeof pid !== 'number' || typeof url !== 'string') return undefined;
    if (whyNotPrivate(path.dirname(socket)) !== undefined) return undefined;
    const ofLines = typeof tcp === 'string' && { tcp };
    return { version, pid, url, socket, ...ofLines, process: String(stamp) };
  } catch {
    return undefined; // no gateway runs, or it has gone while we looked
  }
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // no gateway runs
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
