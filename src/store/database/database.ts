import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '../../core/errors.ts';
import type { Engine } from './engine.ts';
import { ENGINES } from './engines/index.ts';
import type { DatabasePlace, EngineCode, EngineManifest } from './engines/manifest.ts';
import { type StoreFailure, storeFailure } from './store-errors.ts';
import { DatabaseWatchers, type Watcher } from './watchers.ts';

/** The time for which to retry while another process holds the database. */
const LOCKED_FOR_MS = 15_000;
const PAUSE_MS = 20;
/** The interval at which to check, for watchers, whether the database is there and still the same. */
const WATCH_EVERY_MS = 5_000;

export interface DatabaseOptions extends DatabasePlace {
  /** The last moments may be lost in a power cut, though not when a process ends: then no commit waits for the disk. */
  readonly isLax?: boolean;
}

/**
 * Returns the database of all stores. Nothing is opened until the first use: a database that cannot be opened is
 * tried again at the next use, and does not disturb work that does not need it.
 */
export function openDatabase(options: DatabaseOptions, engines = ENGINES): Database {
  return new Database(options, engines.forPlace(options));
}

export class Database {
  readonly #options: DatabaseOptions;
  readonly #manifest: EngineManifest;
  readonly #watchers = new DatabaseWatchers();
  #code: EngineCode | undefined;
  #opening: Promise<Engine> | undefined;
  #engine: Engine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wasOpen = false;
  #isClosed = false;

  constructor(options: DatabaseOptions, manifest: EngineManifest) {
    this.#options = options;
    this.#manifest = manifest;
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
        const failure = this.#failureOf(thrown);
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
   * it is not known what. Returns how to stop it.
   */
  watch(onWake: Watcher): () => void {
    this.#watchers.add(onWake);
    if (this.#engine !== undefined) this.#watchers.attach(this.#engine);
    else this.#look();
    this.#timer ??= setInterval(() => this.#look(), WATCH_EVERY_MS).unref();
    return () => {
      this.#watchers.remove(onWake);
      if (this.#watchers.isEmpty) this.#endTimer();
    };
  }

  /** Operations under way end with an error, or well. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endTimer();
    this.#watchers.detach();
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
      // An engine is loaded when it is opened: Kysely and the drivers would keep every client waiting that has no use for them.
      this.#code ??= await this.#manifest.load();
      const engine = await this.#code.open(this.#options, this.#options.isLax ?? false);
      this.#engine = engine;
      if (!this.#isClosed) this.#watchers.attach(engine);
      // It is not known what happened while the other one was gone.
      if (this.#wasOpen) this.#watchers.wakeAll();
      this.#wasOpen = true;
      return engine;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  #failureOf(thrown: unknown): StoreFailure | undefined {
    if (this.#code === undefined) return undefined;
    return storeFailure(thrown, this.#manifest.shownPlace(this.#options), this.#code.faultsOf);
  }

  #drop(engine: Engine | undefined): void {
    if (engine === undefined || engine !== this.#engine) return;
    this.#watchers.detach();
    this.#engine = undefined;
    this.#opening = undefined;
    engine.close().catch(() => undefined);
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
