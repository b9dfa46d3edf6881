import type { ListenAddress } from '../../core/addresses/listen-address.ts';
import type { Certificate } from '../http/server/certificate.ts';
import { HEADERS_MS, REQUEST_MS } from '../http/server/open-server.ts';
import type { ClientsHost, HttpSettings } from '../http/server/server-options.ts';

/** Settings that a running server can change. */
export type TcpSettings = Pick<HttpSettings, 'maxBodyBytes' | 'requestsPerMinute' | 'connectionsPerAddress' | 'auth'>;

/** Times that clients may take, in milliseconds. */
export interface TcpTimes {
  /** The time for a client's first message, from the moment that it connects. */
  readonly firstMessageMs: number;
  /** The time for any other message, from its first byte to its last. */
  readonly messageMs: number;
  /** Connections are looked at this often. */
  readonly lookMs: number;
}

/** The same as over HTTP. */
export const TCP_TIMES: TcpTimes = { firstMessageMs: HEADERS_MS, messageMs: REQUEST_MS, lookMs: 5_000 };

export interface TcpServerOptions extends ClientsHost {
  readonly address: ListenAddress;
  readonly settings: TcpSettings;
  /** The certificate; if present, the server speaks TLS. Meant for a port. */
  readonly certificate?: Certificate | undefined;
  readonly times?: TcpTimes;
}
