import { type HostPort, isBeyondLoopback, readHostPort, shownHostPort } from '../../core/addresses/host-port.ts';
import { GatewayError } from '../../core/errors.ts';
import type { LiveFeed } from '../../core/providers/live-feed.ts';
import type { Log } from '../../telemetry/log.ts';
import type { LiveServer } from './live-server.ts';
import type { LiveOptions } from './options.ts';

const CHECK_MS = 30_000;

export interface LiveOutputOptions {
  readonly options: LiveOptions;
  readonly feed: LiveFeed;
  readonly log: Log;
}

/** The address to listen at: a given one, or that of the config. */
interface ListenTarget {
  readonly addr: string | undefined;
}

const AS_CONFIGURED: ListenTarget = { addr: undefined };

interface Started {
  readonly server: LiveServer;
  /** True if it was listening before. */
  readonly isOld: boolean;
}

/** The hub, which is there once it was asked for. */
export class LiveOutput {
  readonly #options: LiveOptions;
  readonly #feed: LiveFeed;
  readonly #log: Log;
  #server: Promise<LiveServer> | undefined;
  #asked: ListenTarget | undefined;
  /** Done once it is known whether to go on where the one before has listened. */
  #resumed: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor({ options, feed, log }: LiveOutputOptions) {
    this.#options = options;
    this.#feed = feed;
    this.#log = log;
  }

  /** The address that a client asked for, if one did. */
  get asked(): ListenTarget | undefined {
    return this.#asked;
  }

  /** Returns true if clients must show a token. */
  get needsToken(): boolean {
    return this.#options.token !== undefined;
  }

  /**
   * Starts to listen for a client, at `addr` or at the config's address, unless it listens already.
   * @throws GatewayError if it cannot
   */
  async start(addr: string | undefined): Promise<Started> {
    await this.#resumed;
    const started = await this.#begin(addr);
    // One that listened because the config said so goes on for this client, too.
    this.#asked ??=
      started.isOld || addr === undefined ? AS_CONFIGURED : { addr: shownHostPort(started.server.address) };
    return started;
  }

  /** Listens where the config says so, or where the one with the options of before was asked to. */
  resume(before: LiveOutput | undefined): void {
    // Known at once, for one that takes the place of this one before it listens.
    this.#asked = before?.asked;
    this.#resumed = this.#resume(before);
  }

  async figures(): Promise<{ clients: number; channels: number }> {
    const server = await this.#server?.catch(() => undefined);
    return { clients: server?.hub.clients ?? 0, channels: server?.hub.channels ?? 0 };
  }

  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      // The next one in line needs the port of the one before this one, too.
      await this.#resumed;
      const server = await this.#server?.catch(() => undefined);
      await server?.close();
    })();
    return this.#stopping;
  }

  async #begin(addr: string | undefined): Promise<Started> {
    if (this.#stopping !== undefined) throw new GatewayError('CALL_CANCELLED', 'the hub is being stopped; try again');
    if (this.#server !== undefined) return { server: await this.#server, isOld: true };
    this.#server = this.#listen(addr ?? this.#options.addr);
    try {
      return { server: await this.#server, isOld: false };
    } catch (error) {
      this.#server = undefined;
      throw error;
    }
  }

  async #resume(before: LiveOutput | undefined): Promise<void> {
    await before?.stop();
    // The one before may have been about to begin.
    this.#asked ??= before?.asked;
    for (const { addr } of this.#places()) {
      if (this.#stopping !== undefined) return;
      try {
        const { server } = await this.#begin(addr);
        this.#log.info({ event: 'live', url: server.url }, 'live output can be followed');
        return;
      } catch (error) {
        this.#log.error({ event: 'live', error }, 'live output cannot be followed');
      }
    }
  }

  /** Returns the addresses to try without being asked again, in this order. */
  #places(): readonly ListenTarget[] {
    const places = this.#options.start ? [AS_CONFIGURED] : [];
    const asked = this.#asked;
    if (asked !== undefined && (places.length === 0 || asked.addr !== undefined)) places.push(asked);
    return places;
  }

  async #listen(addr: string): Promise<LiveServer> {
    const address = this.#checked(addr);
    // Those who never ask for it do not pay for it.
    const { LiveServer } = await import('./live-server.ts');
    const { allowedHosts, allowedOrigins, token, slowMs } = this.#options;
    const options = {
      allowedHosts,
      allowedOrigins,
      token,
      slowMs,
      feed: this.#feed,
      log: this.#log,
      checkMs: CHECK_MS,
    };
    try {
      return await LiveServer.listen(address, options);
    } catch (error) {
      throw cannotListen(address, error as NodeJS.ErrnoException);
    }
  }

  #checked(addr: string): HostPort {
    const address = readHostPort(addr);
    if (address === undefined) {
      throw refused(`addr must be host:port, such as 127.0.0.1:8080; ${JSON.stringify(addr.slice(0, 100))} is not`);
    }
    if (!isBeyondLoopback(address) || this.needsToken) return address;
    throw refused(
      `${shownHostPort(address)} can be reached from other machines, where clients must show a token: listen on 127.0.0.1:${address.port}, or have the user set workflows.live.token in the config`,
    );
  }
}

function cannotListen(address: HostPort, error: NodeJS.ErrnoException): GatewayError {
  const where = shownHostPort(address);
  switch (error.code) {
    case 'EADDRINUSE':
      return refused(`another program listens at ${where}: name another port, or 0 for any that is free`, error);
    case 'EACCES':
      return refused(`${where} needs rights that the gateway does not have: name a port from 1024 on`, error);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return refused(`${where} is no address of this machine: listen on 127.0.0.1:${address.port}`, error);
    default:
      return refused(`the hub cannot listen at ${where} (${error.code ?? error.message})`, error);
  }
}

function refused(message: string, cause?: Error): GatewayError {
  return new GatewayError('INVALID_ARGUMENTS', `ws_start: ${message}`, { effect: 'none', cause });
}
