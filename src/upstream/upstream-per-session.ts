import { GatewayError } from '../core/errors.ts';
import {
  type ClientDirectory,
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  NOTHING_TO_CANCEL,
  type Provider,
  type ProviderCall,
  type ProviderTasks,
  type RunningCall,
  type WithheldEntry,
} from '../core/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../core/provider-status.ts';
import { isAboutTask } from '../era/tasks.ts';
import { Upstream, type UpstreamOptions } from './upstream.ts';

/** More would be a way to fill the machine with processes from outside. */
const MAX_PROCESSES = 64;

/** Modern clients do not say when they leave: who has not called for so long is taken to be gone. */
const FORGOTTEN_MS = 10 * 60 * 1000;

/**
 * An upstream that keeps state for its client: every client gets a process of its own (a legacy one for its session). What is offered is what
 * the last synced of them offers. One process is started without a client, to learn the lists; the first client that
 * calls takes it over.
 */
export class UpstreamPerSession implements Provider, UpstreamControl {
  readonly kind = 'upstream';
  readonly id: string;
  readonly prefix: string;
  readonly validation: Provider['validation'];
  readonly #options: UpstreamOptions;
  readonly #byClient = new Map<string, Upstream>();
  /** By modern client: when its process is ended. */
  readonly #forgetting = new Map<string, NodeJS.Timeout>();
  /** Asked for, perhaps before the client has a process: asking alone is no reason to start one. */
  readonly #logLevels = new Map<string, string>();
  /** Whose processes are being ended. */
  readonly #ending = new Set<Promise<void>>();
  #unowned: { readonly upstream: Upstream; owner: string | undefined } | undefined;
  #last: Upstream | undefined;

  constructor(options: UpstreamOptions) {
    this.id = options.entry.key;
    this.prefix = options.entry.prefix;
    this.validation = options.entry.validation;
    this.#options = options;
  }

  start(): void {
    this.#scout().start();
  }

  async stop(reason: string): Promise<void> {
    for (const timer of this.#forgetting.values()) clearTimeout(timer);
    this.#forgetting.clear();
    await Promise.all([...this.#all().map((upstream) => upstream.stop(reason)), ...this.#ending]);
  }

  async disconnect(reason: string): Promise<void> {
    await Promise.all(this.#all().map((upstream) => upstream.disconnect(reason)));
  }

  async sync(): Promise<SyncReport> {
    return (this.#last ?? this.#scout()).sync();
  }

  listing(): Listing {
    return this.#last?.listing() ?? EMPTY_LISTING;
  }

  isKnown(kind?: EntryKind): boolean {
    return this.#last?.isKnown(kind) ?? false;
  }

  era(): Era | undefined {
    return this.#last?.era();
  }

  declared(): Readonly<Record<string, unknown>> | undefined {
    return this.#last?.declared();
  }

  withheld(): readonly WithheldEntry[] {
    return this.#last?.withheld() ?? [];
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    return this.#last?.acceptsUnlisted(kind, ownName) ?? false;
  }

  call(call: ProviderCall): RunningCall {
    const { client, sessionId } = call.caller;
    const { clientId } = client;
    if (!this.#byClient.has(clientId) && isAboutTask(call.text.message.method)) {
      call.caller.onFailure(new GatewayError('UNKNOWN_TASK', 'Task not found'));
      return NOTHING_TO_CANCEL;
    }
    if (!this.#byClient.has(clientId) && this.#byClient.size >= MAX_PROCESSES) {
      const text = `${this.id}: ${MAX_PROCESSES} clients have a process of their own already`;
      call.caller.onFailure(
        new GatewayError('OVERLOADED', text, { upstream: this.id, effect: 'none', retryAfterMs: 60_000 }),
      );
      return NOTHING_TO_CANCEL;
    }
    if (client.era === 'modern') this.#forgetLater(clientId);
    return this.#forClient(clientId, sessionId).call(call);
  }

  get tasks(): ProviderTasks {
    return {
      offered: this.#last?.tasks.offered,
      watch: async (ownId, watcher) => this.#byClient.get(watcher.clientId)?.tasks.watch(ownId, watcher) ?? false,
      list: async (sessionId) => this.#byClient.get(sessionId)?.tasks.list(sessionId) ?? [],
    };
  }

  instructions(): string | undefined {
    return this.#last?.instructions();
  }

  onPinsChanged(): void {
    for (const upstream of this.#all()) upstream.onPinsChanged();
  }

  async onCredentialsChanged(): Promise<void> {
    await Promise.all(this.#all().map((upstream) => upstream.onCredentialsChanged()));
  }

  onMisfit(toolName: string, problem: string): void {
    this.#last?.onMisfit(toolName, problem);
  }

  onOutputMisfit(toolName: string, problem: string): void {
    this.#last?.onOutputMisfit(toolName, problem);
  }

  setLogLevel(sessionId: string, level: string): void {
    this.#byClient.get(sessionId)?.setLogLevel(sessionId, level);
    this.#logLevels.set(sessionId, level);
  }

  onSessionReady(sessionId: string): void {
    this.#byClient.get(sessionId)?.onSessionReady(sessionId);
  }

  onRootsChanged(sessionId: string): void {
    this.#byClient.get(sessionId)?.onRootsChanged(sessionId);
  }

  onSessionEnded(sessionId: string): void {
    this.#logLevels.delete(sessionId);
    // The calls of one modern client may come under ids of their own; what is held for such an id is given up.
    if (this.#byClient.has(sessionId)) this.#end(sessionId, 'its client has gone');
    else for (const upstream of this.#byClient.values()) upstream.onSessionEnded(sessionId);
  }

  status(): UpstreamStatus {
    const shown = (this.#last ?? this.#scout()).status();
    return { ...shown, sessions: this.#byClient.size };
  }

  #all(): Upstream[] {
    return [...this.#byClient.values(), ...(this.#unowned === undefined ? [] : [this.#unowned.upstream])];
  }

  #end(clientId: string, reason: string): void {
    const upstream = this.#byClient.get(clientId);
    if (upstream === undefined) return;
    clearTimeout(this.#forgetting.get(clientId));
    this.#forgetting.delete(clientId);
    this.#byClient.delete(clientId);
    const ended = upstream.stop(reason).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #forgetLater(clientId: string): void {
    const timer = this.#forgetting.get(clientId);
    if (timer !== undefined) timer.refresh();
    else this.#forgetting.set(clientId, setTimeout(() => this.#forget(clientId), FORGOTTEN_MS).unref());
  }

  #forget(clientId: string): void {
    if (this.#byClient.get(clientId)?.hasOpenCalls === true) this.#forgetting.get(clientId)?.refresh();
    else this.#end(clientId, 'its client has not called for ten minutes');
  }

  /** `sessionId` is whom to ask outside of calls; a modern client cannot be asked there. */
  #forClient(clientId: string, sessionId: string): Upstream {
    const own = this.#byClient.get(clientId);
    if (own !== undefined) return own;
    const upstream = this.#takeOver(sessionId) ?? this.#create(() => sessionId);
    this.#byClient.set(clientId, upstream);
    upstream.start();
    const level = this.#logLevels.get(sessionId);
    if (level !== undefined) upstream.setLogLevel(sessionId, level);
    upstream.onSessionReady(sessionId);
    return upstream;
  }

  #takeOver(sessionId: string): Upstream | undefined {
    const unowned = this.#unowned;
    if (unowned === undefined) return undefined;
    unowned.owner = sessionId;
    this.#unowned = undefined;
    return unowned.upstream;
  }

  #scout(): Upstream {
    if (this.#unowned !== undefined) return this.#unowned.upstream;
    const slot: { upstream: Upstream; owner: string | undefined } = {
      upstream: this.#create(() => slot.owner),
      owner: undefined,
    };
    this.#unowned = slot;
    this.#last ??= slot.upstream;
    return slot.upstream;
  }

  #create(owner: () => string | undefined): Upstream {
    const { directory, onOffer } = this.#options;
    const own: ClientDirectory = {
      get: (sessionId) => directory.get(sessionId),
      sole: () => {
        const sessionId = owner();
        return sessionId === undefined ? undefined : directory.get(sessionId);
      },
    };
    const upstream: Upstream = new Upstream({
      ...this.#options,
      directory: own,
      onOffer: () => {
        if (upstream.state.name === 'ready' || this.#last === undefined) this.#last = upstream;
        onOffer();
      },
    });
    return upstream;
  }
}
