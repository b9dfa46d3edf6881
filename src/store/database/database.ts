import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { shownPlace } from '../../core/addresses/shown-place.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Engine } from './engine.ts';
import { storeFailure } from './store-errors.ts';

export const FILE_NAME = 'viaduct.db';
/** The time for which to retry while another process holds the database. */
const LOCKED_FOR_MS = 15_000;
const PAUSE_MS = 20;
/** The interval at which to check, for watchers, whether the database is there and still the same. */
const WATCH_EVERY_MS = 5_000;

export interface DatabaseOptions {
  /** The gateway's own folder: the file of SQLite is there. */
  readonly home: string;
  /** `postgres://…`, for PostgreSQL. */
  readonly url?: string | undefined;
  /** The last moments may be lost in a power cut, though not when a process ends: then no commit waits for the disk. */
  readonly isLax?: boolean;
}

/**
 * Returns the database of all stores. Nothing is opened until the first use: a database that cannot be opened harms nobody who
 * does not need it, and is tried again at the next use.
 */
export function openDatabase(options: DatabaseOptions): Database {
  return new Database(options);
}

type Watcher = (word?: string) => void;

export class Database {
  readonly #place: string;
  readonly #open: () => Promise<Engine>;
  readonly #watchers = new Map<Watcher, (() => void) | undefined>();
  #opening: Promise<Engine> | undefined;
  #engine: Engine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wasOpen = false;
  #isClosed = false;

  constructor({ home, url, isLax = false }: DatabaseOptions) {
    const file = path.join(home, FILE_NAME);
    this.#place = url === undefined ? file : shownPlace(url);
    this.#open = () => (url === undefined ? openSqlite(file, isLax) : openPostgres(url));
  }

  /**
   * Runs `work`, again and again while other processes are in its way, so that it must be one statement or one
   * transaction.
   * @throws GatewayError `STORE_UNAVAILABLE` or `STORE_BUSY` for what the database refuses; what `work` throws passes
   */
  async run<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    const until = performance.now() + LOCKED_FOR_MS;
    for (;;) {
      let engine: Engine | undefined;
      try {
        engine = await this.#current();
        return await work(engine);
      } catch (thrown) {
        const failure = storeFailure(thrown, this.#place);
        const isReplaced = engine !== undefined && engine !== this.#engine;
        if (failure?.isBroken === true) this.#drop(engine);
        const isWorthIt = failure?.isBusy === true || (isReplaced && !this.#isClosed);
        if (!isWorthIt || performance.now() > until) throw failure?.error ?? thrown;
      }
      await pause(Math.random() * PAUSE_MS);
    }
  }

  /**
   * Calls `onWake` when another process may have changed something: with the word that it announced, or without where
   * nobody knows what it was. Returns how to stop it.
   */
  watch(onWake: Watcher): () => void {
    this.#watchers.set(onWake, undefined);
    if (this.#engine !== undefined) this.#attach(this.#engine);
    else this.#look();
    this.#timer ??= setInterval(() => this.#look(), WATCH_EVERY_MS).unref();
    return () => {
      this.#watchers.get(onWake)?.();
      this.#watchers.delete(onWake);
      if (this.#watchers.size === 0) this.#endTimer();
    };
  }

  /** Operations under way end with an error, or well. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endTimer();
    this.#detach();
    const engine = await this.#opening?.catch(() => undefined);
    this.#engine = undefined;
    this.#opening = undefined;
    await engine?.close();
  }

  /** Returns the open engine, or a new one if there is none or its file is another one by now. */
  async #current(): Promise<Engine> {
    if (this.#isClosed) throw new GatewayError('STORE_UNAVAILABLE', 'The store is closed', { effect: 'none' });
    if (this.#engine?.isStale() === true) this.#drop(this.#engine);
    this.#opening ??= this.#openOnce();
    return this.#opening;
  }

  async #openOnce(): Promise<Engine> {
    try {
      const engine = await this.#open();
      this.#engine = engine;
      if (!this.#isClosed) this.#attach(engine);
      // Nobody knows what happened while the other one was gone.
      if (this.#wasOpen) for (const onWake of this.#watchers.keys()) onWake();
      this.#wasOpen = true;
      return engine;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  #drop(engine: Engine | undefined): void {
    if (engine === undefined || engine !== this.#engine) return;
    this.#detach();
    this.#engine = undefined;
    this.#opening = undefined;
    engine.close().catch(() => undefined);
  }

  #attach(engine: Engine): void {
    for (const [watcher, stop] of this.#watchers) {
      if (stop === undefined) this.#watchers.set(watcher, engine.watch(watcher));
    }
  }

  #detach(): void {
    for (const [watcher, stop] of this.#watchers) {
      stop?.();
      this.#watchers.set(watcher, undefined);
    }
  }

  /** Users of the database are told what is wrong with it; watchers wait until it works again. */
  #look(): void {
    this.run(async () => undefined).catch(() => undefined);
  }

  #endTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

// An engine is loaded when it is opened: Kysely and the drivers would keep every client waiting that has no use for them.
const openSqlite = async (file: string, isLax: boolean): Promise<Engine> =>
  (await import('./sqlite/sqlite-engine.ts')).openSqlite(file, isLax);
const openPostgres = async (url: string): Promise<Engine> =>
  (await import('./postgres/postgres-engine.ts')).openPostgres(url);
