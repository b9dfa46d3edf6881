import type { Socket } from 'node:net';
import { DEFAULT_PROFILE } from '../../core/access/client-grant.ts';
import { type LocalSocket, type LocalSocketOptions, listenLocally } from '../../downstream/local-socket.ts';
import type { UnreadBudget } from '../../downstream/unread/unread-budget.ts';
import type { ExtraMethod } from '../../session/session-host.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Gateway } from '../gateway.ts';
import { serveStream } from './serve-stream.ts';

export interface LocalDoorOptions extends Omit<LocalSocketOptions, 'serve'> {
  readonly log: Log;
  /** The budget that all clients of the gateway share. */
  readonly unread: UnreadBudget;
  /** Methods for the command line; those of the gateway's control if absent. */
  readonly methods?: ReadonlyMap<string, ExtraMethod>;
}

/**
 * Opens a gateway to this user's own programs, over a local socket.
 * @throws the system's error when the socket cannot be listened on
 */
export function openLocalDoor(
  gateway: Gateway,
  { log, unread, methods, ...socket }: LocalDoorOptions,
): Promise<LocalSocket> {
  const hasProfile = (name: string) => name === DEFAULT_PROFILE || gateway.clients.hasProfile(name);
  const maxFrameBytes = () => gateway.clients.maxFrameBytes;
  const options = { log, maxFrameBytes, unread, hasProfile, ...(methods !== undefined && { methods }) };
  const serve = (client: Socket) => serveStream(gateway, { ...options, input: client, output: client }, 'local');
  return listenLocally({ ...socket, serve });
}
