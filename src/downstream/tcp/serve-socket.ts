import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { TokenBuckets } from '../../core/timing/token-bucket.ts';
import type { RefusalLog } from '../../telemetry/refusal-log.ts';
import type { Credential } from '../http/auth/credential.ts';
import { StreamClient } from '../stream-client.ts';
import { Gate } from './gate.ts';
import { letGo } from './let-go.ts';
import type { TcpServerOptions, TcpSettings, TcpTimes } from './tcp-options.ts';

/** Parts that the connections of one server share. */
export interface ConnectionHost {
  readonly options: Omit<TcpServerOptions, 'settings'>;
  readonly times: TcpTimes;
  readonly refusals: RefusalLog;
  /** Returns the current settings of the config. */
  readonly settings: () => TcpSettings;
  /** Requests of one principal, else connection, else address; `undefined` if they are not limited. */
  readonly rates: () => TokenBuckets | undefined;
}

/** A client that has connected, and its way in. */
export interface Arrived {
  readonly credential: Credential;
  readonly profile: string;
  readonly address: string;
}

/** Serves a client that has said who it is. `input` gives its messages, the first one included. */
export function serveSocket(
  socket: Socket,
  input: Readable,
  { options, rates, settings }: ConnectionHost,
  { credential, profile, address }: Arrived,
): StreamClient {
  const id = randomUUID();
  const gate = new Gate({ credential, address, id, rates });
  const { principal } = credential;
  const transport = options.address.path === undefined ? 'tcp' : 'unix';
  const facts = { id, transport, profile, access: principal.access, principal };
  const client = new StreamClient({
    input,
    output: socket,
    maxFrameBytes: () => settings().maxBodyBytes,
    log: options.log,
    unread: options.unread,
    gate: (message) => gate.pass(message),
    openSession: ({ hangUp }, output) => options.openSession({ ...facts, output, hangUp }),
    openModern: ({ hangUp }) => options.openModern({ ...facts, isOneProgram: true, hangUp }),
  });
  void client.ended.then(() => letGo(socket));
  input.resume();
  return client;
}
