import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/schema.ts';
import { newToken } from '../../core/handshake/proofs.ts';
import type { LocalSocket } from '../../downstream/local-socket.ts';
import { UnreadBudget } from '../../downstream/unread/unread-budget.ts';
import type { ExtraMethod } from '../../session/session-host.ts';
import { takeFileLock } from '../../store/file-lock.ts';
import { Gateway } from '../gateway.ts';
import type { SharedStatus } from '../gateway-status.ts';
import { removeLeftSocket, writeRecord } from '../serving/daemon-record.ts';
import { openLocalDoor } from '../serving/local-door.ts';
import type { Settings } from '../settings/load-settings.ts';
import { newSocket, type SharedPaths, sharedPaths } from '../settings/paths.ts';
import { followConfig } from '../settings/watch-config.ts';
import { factsOf } from './config-facts.ts';
import { Guests } from './guests.ts';
import { Lifetime } from './lifetime.ts';
import { startContext } from './start-context.ts';
import { clearStopMark, markStopped } from './stop-mark.ts';
import { STOP_METHOD } from './stop-method.ts';
import { sweepRunFolder } from './sweep-run-folder.ts';

export interface SharedGatewayOptions {
  readonly settings: Settings;
  readonly key: string;
  /** The environment of this process: the SSH agent in it changes with the clients. */
  readonly env: Record<string, string | undefined>;
}

/** The time that open calls have to end when the gateway is told to stop, in milliseconds. */
const DRAIN_MS = 10_000;

/** A gateway for all clients of a config, on a local socket only. */
export class SharedGateway {
  readonly #options: SharedGatewayOptions;
  readonly #paths: SharedPaths;
  readonly #gateway: Gateway;
  readonly #lifetime: Lifetime;
  readonly #releaseOwner: () => void;
  /** Resolves when it has ended, for any reason. */
  readonly ended: Promise<void>;
  #onEnded: (() => void) | undefined;
  #door: LocalSocket | undefined;
  #removeRecord: (() => void) | undefined;
  #watch: { close(): Promise<void> } | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(options: SharedGatewayOptions, gateway: Gateway, releaseOwner: () => void) {
    this.#options = options;
    this.#paths = sharedPaths(options.settings.home, options.key);
    this.#gateway = gateway;
    this.#releaseOwner = releaseOwner;
    this.ended = new Promise((resolve) => {
      this.#onEnded = resolve;
    });
    this.#lifetime = new Lifetime({
      limits: options.settings.config.gateway,
      work: gateway.reports,
      end: (reason) => void this.stop(reason),
    });
  }

  /**
   * Starts the gateway and lets clients in.
   * @returns `undefined` if another process is this gateway already
   * @throws the system's error when the socket or the record cannot be made
   */
  static async open(options: SharedGatewayOptions): Promise<SharedGateway | undefined> {
    const { settings, key, env } = options;
    const releaseOwner = takeFileLock(sharedPaths(settings.home, key).owner);
    if (releaseOwner === undefined) return undefined;
    try {
      const shared = new SharedGateway(options, await Gateway.load({ ...settings, env }), releaseOwner);
      await shared.#open();
      return shared;
    } catch (error) {
      releaseOwner();
      throw error;
    }
  }

  /** Ends everything in order. Open calls have `drainMs` milliseconds to end. */
  stop(reason: string, drainMs = DRAIN_MS): Promise<void> {
    this.#stopping ??= this.#stop(reason, drainMs);
    return this.#stopping;
  }

  async #open(): Promise<void> {
    const { settings, env } = this.#options;
    const { log } = settings;
    removeLeftSocket(this.#paths);
    clearStopMark(settings.home, process.pid);
    const [file, secret] = [newSocket(this.#paths), newToken()];
    const guests = new Guests(this.#lifetime, env);
    const socket = { file, secret, guests, log, unread: new UnreadBudget(log), methods: this.#methods() };
    this.#door = await openLocalDoor(this.#gateway, socket);
    const { configPath, config } = settings;
    const shared = { configPath, variables: config.variables, context: startContext(env) };
    this.#removeRecord = writeRecord(this.#paths, { socket: file, secret, shared });
    rmSync(this.#paths.failure, { force: true });
    sweepRunFolder(settings.home);
    log.info({ event: 'shared-gateway', pid: process.pid, config: configPath }, 'clients may come');
    this.#gateway.start();
    this.#watch = followConfig([this.#gateway, { reload: (changed) => this.#reload(changed) }], settings, env);
  }

  /** The commands of its user see that it is shared, and can end it. */
  #methods(): ReadonlyMap<string, ExtraMethod> {
    const { control, reports } = this.#gateway;
    return new Map<string, ExtraMethod>([
      ...control.methods,
      [
        'viaduct/status',
        async () => ({ ...reports.status(), shared: statusOf(this.#lifetime, this.#options.settings) }),
      ],
      [STOP_METHOD, async () => this.#stopLater()],
    ]);
  }

  /** Ends the gateway once the command that wants it has its answer. */
  #stopLater(): { readonly clients: number } {
    const { clients } = this.#lifetime.status();
    markStopped(this.#options.settings.home, process.pid);
    this.#gateway.clients.sessions.warn('The shared gateway was stopped by the command `viaduct stop`.');
    setImmediate(() => void this.stop('viaduct stop'));
    // The command is one of them.
    return { clients: clients - 1 };
  }

  /** Clients of a config that says something else about sharing find another gateway: this one ends with its last client. */
  #reload(config: Config): void {
    this.#lifetime.configure(config.gateway);
    const { log, configPath, config: before } = this.#options.settings;
    const { inheritsEnv } = factsOf(config, '');
    const isForSame = isDeepStrictEqual(
      [config.gateway.mode, config.variables],
      [before.gateway.mode, before.variables],
    );
    if (isForSame && inheritsEnv === undefined) return;
    this.#hide();
    this.#lifetime.retire();
    log.info(
      { event: 'retire', config: configPath },
      'the config now asks for other gateways: no new clients are taken',
    );
  }

  /** Nobody finds it any more, and another one may take its place. */
  #hide(): void {
    this.#removeRecord?.();
    this.#door?.stopListening();
    this.#releaseOwner();
  }

  async #stop(reason: string, drainMs: number): Promise<void> {
    this.#options.settings.log.info({ event: 'stop', reason }, 'the shared gateway ends');
    this.#lifetime.cancel();
    this.#hide();
    await this.#watch?.close();
    await this.#gateway.drain(drainMs);
    await this.#gateway.stop(`the gateway stops: ${reason}`);
    await this.#door?.close();
    this.#onEnded?.();
  }
}

function statusOf(lifetime: Lifetime, { config: { variables } }: Settings): SharedStatus {
  const { clients, endsAt, endsAtLatest, keptAliveBy } = lifetime.status();
  return {
    clients,
    variables,
    keptAliveBy,
    ...(endsAt !== undefined && { endsAt: new Date(endsAt).toISOString() }),
    ...(endsAtLatest !== undefined && { endsAtLatest: new Date(endsAtLatest).toISOString() }),
  };
}
