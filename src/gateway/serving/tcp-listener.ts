import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig } from '../../config/schema.ts';
import { tcpExposureProblem } from '../../config/server/exposure.ts';
import { listenUrl } from '../../core/addresses/listen-address.ts';
import type { Certificate } from '../../downstream/http/server/certificate.ts';
import type { TcpServerOptions, TcpSettings } from '../../downstream/tcp/tcp-options.ts';
import type { TcpServer } from '../../downstream/tcp/tcp-server.ts';
import type { Log } from '../../telemetry/log.ts';
import type { TcpPlace } from './tcp-address.ts';
import { UnprotectedError } from './unprotected-error.ts';

export interface TcpListenerOptions extends Omit<TcpServerOptions, 'address' | 'settings' | 'certificate'> {
  readonly log: Log;
  /** Called when it listens somewhere else, or nowhere, with the url. */
  readonly onMoved: (url: string | undefined) => void;
}

/** The entrance for clients that speak in lines, at the place in the config: it opens, moves and closes. */
export class TcpListener {
  readonly #options: TcpListenerOptions;
  #certificate: Certificate | undefined;
  #place: TcpPlace | undefined;
  #server: TcpServer | undefined;

  /** @param certificate with one it speaks TLS on ports, for as long as it is there */
  constructor(options: TcpListenerOptions, certificate: Certificate | undefined) {
    this.#options = options;
    this.#certificate = certificate;
  }

  /** Url for clients; `undefined` while it listens nowhere. */
  get url(): string | undefined {
    return this.#server?.url;
  }

  /** @throws UnprotectedError when others than this machine's users could reach a place, and nothing would keep them out */
  check(place: TcpPlace | undefined, { tokens, oauth }: ServerConfig): void {
    if (place === undefined) return;
    const { address, source } = place;
    const proofs = { tokens: tokens !== undefined, oauth: oauth !== undefined };
    const problem = tcpExposureProblem(address, { ...proofs, tls: this.#certificate !== undefined });
    if (problem !== undefined) throw new UnprotectedError(`${listenUrl(address, false)} (${source})`, problem);
  }

  /**
   * Goes to another place. The old one takes no more clients, and those that it has are sent away. Resolves at once where
   * the place stays.
   * @throws Error when the new place cannot be listened on, or cannot be told; the old one stays then
   */
  async move(place: TcpPlace | undefined, settings: TcpSettings): Promise<void> {
    if (isDeepStrictEqual(place?.address, this.#place?.address)) return;
    // A port of all addresses and the same port of one cannot be had at the same time.
    if (hasSamePort(place, this.#place)) await this.#leaveFor(place!, settings);
    else await this.#takeOver(place, settings);
  }

  /** Listens at the new place before it leaves the old one. */
  async #takeOver(place: TcpPlace | undefined, settings: TcpSettings): Promise<void> {
    const old = this.#server;
    const opened = place === undefined ? undefined : await this.#open(place, settings);
    try {
      this.#options.onMoved(opened?.url);
    } catch (error) {
      await opened?.close();
      throw error;
    }
    this.#server = opened;
    this.#place = place;
    await old?.close(MOVED);
  }

  /** Leaves the old place before it listens at the new one, and goes back if it cannot: its clients must connect again then. */
  async #leaveFor(place: TcpPlace, settings: TcpSettings): Promise<void> {
    const left = this.#place!;
    await this.#server?.close(MOVED);
    this.#server = undefined;
    this.#place = undefined;
    try {
      await this.#takeOver(place, settings);
    } catch (error) {
      this.#server = await this.#open(left, settings);
      this.#place = left;
      throw error;
    }
  }

  configure(settings: TcpSettings): void {
    this.#server?.configure(settings);
  }

  /** New connections get this certificate. Meant for a listener that began with one. @throws when it cannot be used */
  setCertificate(certificate: Certificate): void {
    if (this.#place?.address.path === undefined) this.#server?.setCertificate(certificate);
    this.#certificate = certificate;
  }

  stopListening(): void {
    this.#server?.stopListening();
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #open(place: TcpPlace, settings: TcpSettings): Promise<TcpServer> {
    const { address } = place;
    const certificate = address.path === undefined ? this.#certificate : undefined;
    // Most gateways listen nowhere else, and need not load it.
    const { TcpServer } = await import('../../downstream/tcp/tcp-server.ts');
    try {
      return await TcpServer.listen({ ...this.#options, address, certificate, settings });
    } catch (error) {
      throw tcpProblem(error, place);
    }
  }
}

const MOVED = 'the address has changed';

function hasSamePort(one: TcpPlace | undefined, other: TcpPlace | undefined): boolean {
  const [a, b] = [one?.address, other?.address];
  return a?.path === undefined && b?.path === undefined && a !== undefined && a.port === b?.port && a.port !== 0;
}

const WORDS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: end it, or choose another address',
  EACCES: 'this user may not listen there: choose another address',
  EADDRNOTAVAIL: 'this machine has no such address: choose another one',
  ENOTFOUND: 'this machine has no such address: choose another one',
  EAI_AGAIN: 'this machine has no such address: choose another one',
};

/** Says why a place cannot be listened on, and what to do. */
function tcpProblem(error: unknown, { address, source }: TcpPlace): Error {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const why = WORDS[code] === undefined ? message : `${WORDS[code]} (${code})`;
  return new Error(`${source}: cannot listen on ${listenUrl(address, false)}: ${why}`, { cause: error });
}
