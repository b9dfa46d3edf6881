import { realpath } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { Catalogue } from '../../../../src/catalogue/catalogue.ts';
import type { UpstreamEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { Router } from '../../../../src/router/router.ts';
import { CallQuota } from '../../../../src/session/local/call-quota.ts';
import { Parking } from '../../../../src/session/modern/parking.ts';
import type { SessionHost } from '../../../../src/session/session-host.ts';
import { Sessions } from '../../../../src/session/sessions.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { UpstreamPool } from '../../../../src/upstream/sharing/upstream-pool.ts';
import { Upstream } from '../../../../src/upstream/upstream.ts';
import { entryOf } from '../../upstream/entries.ts';
import { optionsOf } from '../../upstream/sharing/memory-pool.ts';
import { MemoryProgram, type ServerEra } from '../../upstream/sharing/memory-server.ts';
import { LegacyModelClient, type ModelClient, ModernModelClient } from './model-clients.ts';

export interface WorldOptions {
  readonly share: UpstreamEntry['share'];
  readonly era: ServerEra;
  /** Whether the upstream begins, at some time, to ask clients something because of their calls. */
  readonly asks?: boolean;
  /** A whole number below `most`. */
  readonly choose: (most: number) => number;
}

const MOST_CLIENTS = 6;
const FOLDERS = ['/model/one', '/model/two'];
/** The longest pause after which anything is tried again, and some. */
const QUIET_MS = 75_000;

/** A gateway with one upstream whose processes are in memory, and clients that come and go. */
export class World {
  readonly program = new MemoryProgram();
  readonly #options: WorldOptions;
  readonly #sessions = new Sessions();
  readonly #catalogue = new Catalogue({ maxNameLength: () => 64 });
  readonly #host: SessionHost;
  readonly #entry: UpstreamEntry;
  readonly #clients: ModelClient[] = [];
  /** The list that each client has read last. */
  readonly #known = new Map<ModelClient, readonly string[]>();
  #upstream: Upstream | UpstreamPool;
  #version = 1;
  #named = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    const { share, era } = options;
    this.program.era = era;
    this.#entry = entryOf({ share, era: era === 'legacy' ? 'legacy' : '2026-07-28' });
    const view = this.#catalogue.openView(undefined, (kinds) => this.#sessions.onCatalogueChange(view, kinds));
    this.#host = {
      catalogue: view,
      router: new Router(view, []),
      quota: new CallQuota(() => ({ calls: 10_000, callsPerClient: 10_000 })),
      log: createLog({ level: 'silent' }),
      serverInfo: { name: 'gateway', version: '1' },
      serverInfoInResults: () => undefined,
      parking: new Parking(60_000),
      directory: this.#sessions,
      instructions: () => '',
      listGraceMs: () => 1_000,
    };
    this.#upstream = this.#open();
  }

  /** Something happens. */
  step(): void {
    const { choose } = this.#options;
    const client = this.#clients[choose(this.#clients.length)];
    switch (choose(12)) {
      case 0:
      case 1:
        this.#join();
        break;
      case 2:
        if (client !== undefined) this.#leave(client);
        break;
      case 3:
        client?.call();
        break;
      case 4:
        this.program.living[choose(this.program.living.length)]?.crash();
        break;
      case 5:
        if (choose(4) === 0) this.#reload();
        else this.program.asks = this.#options.asks === true && choose(2) === 0;
        break;
      case 6:
        this.#version++;
        this.program.change([`one`, `v${this.#version}`]);
        break;
      default:
        client?.change(this.program.uris[choose(this.program.uris.length)]!, choose);
    }
  }

  /** Some answers take longer than others, and those of one process may overtake each other. */
  async pass(): Promise<void> {
    const { choose } = this.#options;
    this.program.later = (answer) => void setTimeout(answer, choose(30));
    await foldersRead();
    await vi.advanceTimersByTimeAsync(choose(3) === 0 ? choose(2_000) : choose(20));
  }

  /** Nothing happens any more: now everybody has what is owed to them. */
  async check(): Promise<void> {
    await this.#settle();
    for (const client of this.#clients) await this.#checkList(client);
    this.#checkSubscriptions();
    await this.#checkNotices();
  }

  async end(): Promise<void> {
    while (this.#clients.length > 0) this.#leave(this.#clients[0]!);
    await this.#settle();
    this.#checkSubscriptions();
    await this.#upstream.stop('the test ends');
    expect(this.program.living).toEqual([]);
  }

  #open(): Upstream | UpstreamPool {
    const { program } = this;
    const surroundings = { directory: this.#sessions, onOffer: () => this.#catalogue.onOffer(), program };
    const options = optionsOf(this.#entry, surroundings);
    const upstream = this.#options.share === 'gateway' ? new Upstream(options) : new UpstreamPool(options);
    this.program.hasAsked = false;
    upstream.start();
    this.#catalogue.setProviders([upstream]);
    this.#sessions.onProvidersChanged();
    return upstream;
  }

  /** The entry has changed in the config. */
  #reload(): void {
    void this.#upstream.stop('its entry was changed');
    this.#upstream = this.#open();
  }

  #join(): void {
    if (this.#clients.length >= MOST_CLIENTS) return;
    const name = `client-${++this.#named}`;
    const folder = FOLDERS[this.#options.choose(FOLDERS.length)]!;
    const client =
      this.#options.choose(3) === 0
        ? new ModernModelClient(name, this.#sessions, this.#host)
        : new LegacyModelClient(name, folder, this.#sessions, this.#host);
    this.#clients.push(client);
  }

  #leave(client: ModelClient): void {
    this.#clients.splice(this.#clients.indexOf(client), 1);
    this.#known.delete(client);
    client.leave();
  }

  async #settle(): Promise<void> {
    this.program.later = undefined;
    this.program.asks = false;
    await foldersRead();
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    // Processes that ended too often stay off until somebody says otherwise.
    const synced = this.#upstream.sync();
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    await synced;
    for (const client of this.#clients)
      if (client instanceof ModernModelClient && !client.isPromisedAll) client.listenAgain();
    await vi.advanceTimersByTimeAsync(QUIET_MS);
  }

  async #checkList(client: ModelClient): Promise<void> {
    const tools = await this.#soon(client.tools());
    expect(tools, `${client.name}: its list`).toEqual(this.program.tools.map((name) => `up_${name}`));
    const before = this.#known.get(client);
    this.#known.set(client, tools);
    if (before !== undefined && String(before) !== String(tools))
      expect(client.heard.listChanges, `${client.name}: its list has changed`).toBeGreaterThan(0);
    client.heard.listChanges = 0;
  }

  /** The upstream has exactly the subscriptions that are wanted: each process those of the clients that use it. */
  #checkSubscriptions(): void {
    const watched = this.program.living.map((process) => setText(process.watched())).filter((text) => text !== '');
    if (this.#options.share === 'auto' && this.program.hasAsked) this.#checkSubscriptionsOfSome(watched);
    else expect(watched.toSorted()).toEqual(this.#wantedTogether());
  }

  /** Those who used the first process before it asked somebody keep it: which these are is not known here. */
  #checkSubscriptionsOfSome(watched: readonly string[]): void {
    const wanted = this.#clients.map((client) => setText(client.owed()));
    expect(unionOf(watched)).toEqual(unionOf(wanted));
    expect(uriCount(watched), 'subscriptions in all processes').toBeLessThanOrEqual(uriCount(wanted));
  }

  /** The subscriptions of each process: of clients that share one, all that any of them wants. */
  #wantedTogether(): string[] {
    const { share } = this.#options;
    const groups = new Map<string, string[]>();
    for (const client of this.#clients) {
      const inFolder = share === 'folder' ? (client.folder ?? '') : 'all';
      const group = share === 'session' ? client.name : inFolder;
      groups.set(group, [...(groups.get(group) ?? []), setText(client.owed())]);
    }
    return [...groups.values()].flatMap(unionOf).toSorted();
  }

  async #checkNotices(): Promise<void> {
    for (const client of this.#clients) client.heard.updates.clear();
    for (const process of this.program.living) for (const uri of this.program.uris) process.touch(uri);
    await vi.advanceTimersByTimeAsync(10);
    for (const client of this.#clients) {
      const owed = Object.fromEntries([...client.owed()].map((uri) => [uri, 1]));
      expect(Object.fromEntries(client.heard.updates), `${client.name}: its notices`).toEqual(owed);
    }
  }

  async #soon<T>(promise: Promise<T>): Promise<T> {
    await vi.advanceTimersByTimeAsync(2_000);
    return promise;
  }
}

/** Where a client works is looked up on the disk, which does not follow the clock of the test: waits until that has happened. */
async function foldersRead(): Promise<void> {
  for (let times = 0; times < 3; times++) await realpath('/');
}

const uriCount = (texts: readonly string[]): number =>
  texts.flatMap((text) => text.split(' ')).filter((uri) => uri !== '').length;

const setText = (uris: ReadonlySet<string>): string => [...uris].toSorted().join(' ');

function unionOf(texts: readonly string[]): string[] {
  const all = new Set(texts.flatMap((text) => text.split(' ')).filter((uri) => uri !== ''));
  return all.size === 0 ? [] : [setText(all)];
}
