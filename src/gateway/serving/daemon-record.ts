import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { whyNotPrivate } from '../../core/files/private-folder.ts';
import { type Introduction, introduceTo } from '../../core/handshake/introduce.ts';
import { isToken } from '../../core/handshake/proofs.ts';
import { asObject } from '../../core/json/as-object.ts';
import { isRunning, ownStamp, stampIn, stampText } from '../../core/processes/process-stamp.ts';
import { writeWhole } from '../../store/write-whole.ts';
import type { DaemonPaths } from '../settings/paths.ts';
import { type StartContext, startContextIn } from '../shared/start-context.ts';
import { VERSION } from '../version.ts';

/** The record that a running gateway leaves for this user's other programs. */
export interface DaemonRecord {
  readonly version: string;
  readonly pid: number;
  /** Url for clients that speak HTTP; absent for a shared gateway. */
  readonly url?: string | undefined;
  readonly socket: string;
  /** Url for clients that speak JSON-RPC in lines, where there is a way in for them. */
  readonly tcp?: string | undefined;
  /** The secret that both ends of a connection prove to know. */
  readonly secret: string;
  /** The process that it is (`ProcessStamp`). */
  readonly process: string;
  /** Facts that only a shared gateway has. */
  readonly shared?: SharedFacts | undefined;
}

/** The facts by which a shared gateway is found and told from others. */
export interface SharedFacts {
  readonly configPath: string;
  /** Names of the variables whose values are its own: clients with other values have another gateway. */
  readonly variables: readonly string[];
  /** The surroundings in which it was started. */
  readonly context: StartContext;
}

/**
 * Says which gateway serves a config.
 * @returns what removes the record. It leaves another gateway's alone: one may have started since.
 * @throws the system's error when it cannot be written
 */
export function writeRecord(
  { record: file }: DaemonPaths,
  record: Omit<DaemonRecord, 'version' | 'pid' | 'process'>,
): () => void {
  const text = JSON.stringify({ version: VERSION, pid: process.pid, ...record, process: stampText(ownStamp()) });
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
 * Connects to the gateway that a record names, if it runs. A record may be left behind by a gateway that was killed: only the
 * connection proves that a gateway is there, and which one.
 */
export async function connectToDaemon(
  { record: file }: Pick<DaemonPaths, 'record'>,
  introduction: Introduction = {},
): Promise<RunningDaemon | undefined> {
  for (let tried: string | undefined; ; ) {
    const record = readRecord(file);
    // The one that we have read of may have stopped meanwhile, and another one started.
    if (record === undefined || record.socket === tried) return undefined;
    const socket = await open(record, introduction);
    if (socket !== undefined) return { record, socket };
    tried = record.socket;
  }
}

/** Returns the URLs of the gateway that a record reports; none if there is no such record. The gateway may have ended. */
export function recordedUrls(file: string): readonly string[] {
  const { url, tcp } = readRecord(file) ?? {};
  return [url, tcp].filter((each) => each !== undefined);
}

/** Reads a record; `undefined` if there is none, or if others than this user could have made its socket. */
export function readRecord(file: string): DaemonRecord | undefined {
  try {
    const record = asObject(JSON.parse(textIn(file) ?? ''));
    const { socket, pid, secret, version = '', process: stamp = '' } = record;
    if (typeof socket !== 'string' || typeof pid !== 'number' || !isToken(secret)) return undefined;
    if ([path.dirname(file), path.dirname(socket)].some((folder) => whyNotPrivate(folder) !== undefined))
      return undefined;
    const shared = sharedFactsIn(record.shared);
    const places = { ...textOf(record, 'url'), ...textOf(record, 'tcp'), ...(shared !== undefined && { shared }) };
    return { version: String(version), pid, socket, secret, process: String(stamp), ...places };
  } catch {
    return undefined; // no gateway runs, or it has gone while we looked
  }
}

function textOf<Name extends string>(
  record: Readonly<Record<string, unknown>>,
  name: Name,
): { [key in Name]?: string } {
  const value = record[name];
  return typeof value === 'string' ? ({ [name]: value } as { [key in Name]?: string }) : {};
}

function sharedFactsIn(value: unknown): SharedFacts | undefined {
  const { configPath, variables, context } = asObject(value);
  if (typeof configPath !== 'string' || !Array.isArray(variables)) return undefined;
  return { configPath, variables: variables.map(String), context: startContextIn(context) };
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // no gateway runs
  }
}

async function open({ socket: file, secret }: DaemonRecord, introduction: Introduction): Promise<Socket | undefined> {
  if (!isOurs(file)) return undefined;
  const socket = await connectTo(file);
  if (socket === undefined) return undefined;
  // Until somebody takes it over, its errors are of no interest.
  const ignore = () => undefined;
  socket.on('error', ignore);
  const isRight = await introduceTo(socket, secret, introduction);
  if (!isRight || socket.destroyed) {
    socket.destroy();
    return undefined;
  }
  socket.off('error', ignore);
  return socket;
}

function isOurs(file: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    return lstatSync(file).uid === process.getuid?.();
  } catch {
    return false; // it has gone
  }
}

function connectTo(file: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path: file, allowHalfOpen: true });
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}
