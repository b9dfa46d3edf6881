import type { ByteString } from '../../wire/bytes.ts';
import type { CallText } from '../../wire/edits/call-text.ts';
import type { Frame } from '../../wire/frame.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { Scope, Seen } from '../access/permissions.ts';
import type { GatewayError } from '../errors.ts';
import type { FolderRule } from '../folders/folder-rule.ts';
import type { AuditLevel } from './audit-level.ts';
import type { KeepsAlive } from './keeps-alive.ts';
import type { SchemaFault } from './provider-status.ts';

/** Protocol revisions fall into two eras: those that open with `initialize`, and those in which each request says all. */
export type Era = 'legacy' | 'modern';

/** The facts that a client states about itself: once in `initialize`, or with each modern request. */
export interface ClientFacts {
  readonly era: Era;
  /** The same for all calls of one client, as far as the protocol tells: whose process it is where each has its own. */
  readonly clientId: string;
  /** The id of the authenticated principal; absent if no authentication is required. */
  readonly principal?: string | undefined;
  /** The same for people: the name of its token, or of its user. */
  readonly principalName?: string | undefined;
  /** The JSON of its capabilities, and of its name and version, as it wrote them. */
  readonly capabilities: ByteString;
  readonly clientInfo: ByteString | undefined;
  /** The least severe log messages it wants; `undefined` if it has not said. */
  readonly logLevel: string | undefined;
  /** True if it sends only this request: nothing can be kept for it, and it cannot be asked. */
  readonly isSessionless?: boolean;
  /** The folder that it works in, where its way to the gateway tells. */
  readonly folder?: ClientFolder | undefined;
  /** The rule for the folders that it may name; `undefined` for programs of this user, which may open any by themselves. */
  readonly folderRule: FolderRule | undefined;
  /** Number of agents, started by gateways, between it and the user; 0 if absent. */
  readonly depth?: number | undefined;
  /** The part of the gateway that it may see; everything if this is absent. */
  readonly scope?: Scope | undefined;
}

/** Said with the HTTP request; or only where the program on the pipe was started, which may be anywhere. */
export interface ClientFolder {
  readonly path: string;
  readonly source: 'request' | 'start';
}

/** The lists that a provider may offer. */
export type EntryKind = 'tool' | 'prompt' | 'resource' | 'template';

/** One line of a provider's list, in the provider's own words. */
export interface Descriptor {
  readonly kind: EntryKind;
  /** The provider's own name for it: tool or prompt name, resource uri, uri template. */
  readonly ownName: string;
  /** The entry's JSON, as clients get it except for the name. */
  readonly text: ByteString;
  /** The same as the provider wrote it, where that differs. */
  readonly source?: ByteString;
  /** Set where invisible characters are in what clients send back, such as names of arguments. */
  readonly isSuspicious?: boolean;
  /** The places where the schemas of a tool are not valid, as its server wrote them; absent if they are. */
  readonly schemaFaults?: readonly SchemaFault[];
  /** The span of the value of `name` (or `uri`, `uriTemplate`) in `text`. */
  readonly nameSpan: Span;
  /** Equal fingerprints mean that nothing a client can see has changed. */
  readonly fingerprint: string;
  /** The audit level of its calls, if the provider is a workflow. */
  readonly audit?: AuditLevel;
  /** Set if its arguments may be secrets that no pattern finds, such as a password to type: the audit keeps a digest at most. */
  readonly hasSecretArguments?: boolean;
  /** The entry for clients of one era, where those get another text than `text`. */
  readonly forLegacy?: EntryText;
  readonly forModern?: EntryText;
}

export type EntryText = Pick<Descriptor, 'text' | 'nameSpan'>;

/** An entry that a provider has and clients do not get. */
export interface WithheldEntry {
  readonly kind: EntryKind;
  /** The provider's own name for it. */
  readonly name: string;
  /** Denied by the config's globs; refused by official clients; changed since it was approved. */
  readonly reason: 'filtered' | 'unusable' | 'pinned';
  /** Completes "it is withheld: …". */
  readonly detail: string;
}

export type Listing = Readonly<Record<EntryKind, readonly Descriptor[]>>;

export const EMPTY_LISTING: Listing = { tool: [], prompt: [], resource: [], template: [] };

/** A request of an upstream (sampling, elicitation, roots) on its way to a client. Exactly one of the two answers comes. */
export interface ClientAsk {
  readonly message: RequestMessage;
  /** The gateway asks for itself, and holds the roots in the answer against `ClientFacts.folderRule`. */
  readonly isOwn?: boolean;
  onAnswer(answer: Reply): void;
  onFailure(error: GatewayError): void;
  /** Progress that the client reports; `token` is the span to be replaced by the upstream's own token. */
  onProgress(frame: Frame, token: Span): void;
}

/** Withdraws an ask: the client is told, and nothing is answered any more. */
export type WithdrawAsk = (reason: string) => void;

/**
 * A client that can be asked: a legacy client, or one call of a modern client, which then is answered `input_required` and
 * goes on when the client calls again. One without the needed capability fails the ask at once with `CAPABILITY_MISSING`. */
export interface AskTarget {
  readonly sessionId: string;
  ask(ask: ClientAsk): WithdrawAsk;
}

/** The client's end of a call. The provider answers with exactly one `onReply` or `onFailure`, none after a cancel. */
export interface Caller extends AskTarget {
  readonly client: ClientFacts;
  /** Names the provider that gets the call, before it does; called for each of several that are asked in turn. */
  onRoute?(provider: Provider, descriptor: Descriptor | undefined): void;
  onReply(reply: Reply): void;
  onFailure(error: GatewayError): void;
  /** Progress for this call: `token` is the span to be replaced by the caller's own token. */
  onProgress(frame: Frame, token: Span): void;
  /** Resolves when the client has room for another large answer; `undefined` if it has room now. */
  whenRoom?(): Promise<void> | undefined;
  /** Receives a notification (log message and the like) that was sent while this call ran and can belong to no other client. */
  onNotification(message: NotificationMessage): void;
}

/** A client as seen by a provider outside of calls. */
export interface ClientSession extends AskTarget {
  /** Delivers a notification that belongs to no call of the client. */
  readonly isListening: boolean;
  onNotification(message: NotificationMessage): void;
  /** Called when a resource has changed to which this client subscribed. `uri` is the one by which the client knows it. */
  onResourceUpdated(uri: string, frame: Frame, uriSpan: Span): void;
  /** Called when a provider no longer reports the resources to which this client subscribed: they must be subscribed to again. */
  onSubscriptionsLost(provider: Provider): void;
  /** Reports the new state of a task that this client follows; `message` has its public id. */
  onTaskChanged(message: NotificationMessage): void;
}

/** A modern client's stream of changes, as one that watches a task. */
export interface TaskWatcher extends Pick<ClientFacts, 'clientId' | 'principal'> {
  readonly sessionId: string;
}

/** The clients that are connected now. */
export interface ClientDirectory {
  get(sessionId: string): ClientSession | undefined;
  /** Returns the client, when exactly one is there that may see this provider. */
  sole(provider: Seen): ClientSession | undefined;
}

/** One call on its way to a provider. */
export interface ProviderCall {
  readonly text: CallText;
  /** The provider's own name for the target, and the same as the JSON token it uses itself. */
  readonly ownName: string;
  readonly ownToken: ByteString;
  readonly caller: Caller;
}

/** A call under way. */
export interface RunningCall {
  /** Cancels the call: the provider is told, and no response follows. `reason` is a raw JSON token. */
  cancel(reason?: ByteString): void;
}

/** The running call of a call that is answered already, or that cannot be stopped. */
export const NOTHING_TO_CANCEL: RunningCall = { cancel: () => undefined };

/** The tasks of a provider, as far as they are no calls. */
export interface ProviderTasks extends KeepsAlive {
  /** The era of its servers; `undefined` if there are none, or no connection. */
  readonly offered: Era | undefined;
  /**
   * Watches a task for a stream of changes. Resolves, with whether the stream will hear about it, when nothing can be
   * missed any more.
   */
  watch(ownId: string, watcher: TaskWatcher): Promise<boolean>;
  /** Resolves to the tasks that a legacy client has begun or asked for: the JSON of each, with its public id. */
  list(sessionId: string): Promise<readonly ByteString[]>;
}

/** The lists of a provider. */
export interface ListSource {
  /** Returns what is offered now: the same object as long as nothing changed. */
  listing(): Listing;
  /**
   * Returns whether a list, or without a kind each of them, is the provider's word, from now or from an earlier run, and not
   * a mere "nothing yet".
   */
  isKnown(kind?: EntryKind): boolean;
  /** Returns the entries of its lists that are not offered. */
  withheld?(): readonly WithheldEntry[];
  /** Returns whether a name outside the listing may be called all the same. */
  acceptsUnlisted(kind: EntryKind, ownName: string): boolean;
  /** Returns whether clients with this scope may see a resource of it, listed or not; all may if absent. */
  isResourceWithin?(uri: string, scope: Scope): boolean;
  /** Returns the era of the server behind it, where there is one and it is known. */
  era?(): Era | undefined;
  /** Returns the capabilities that its server declared, now or in an earlier run; `undefined` before it was ever reached. */
  declared?(): Readonly<Record<string, unknown>> | undefined;
  /** Returns what the provider wants models to know, where its entry says that it is passed on. */
  instructions?(): string | undefined;
}

/** A provider as those see it who call it. */
export interface CallTarget {
  call(call: ProviderCall): RunningCall;
  /** The calls that go on after their answer. */
  readonly tasks?: ProviderTasks;
  /** The treatment of arguments that do not fit a tool's schema: nothing, a note, or a refusal. */
  readonly validation: 'off' | 'warn' | 'enforce';
  /** Notes that arguments which do not fit the schema were forwarded all the same. */
  onMisfit?(toolName: string, problem: string): void;
  /** Notes a result that does not fit the tool's output schema: strict clients refuse it while that schema is offered. */
  onOutputMisfit?(toolName: string, problem: string): void;
}

/** A provider as clients' sessions see it: it is told what they want and when they end. */
export interface SessionObserver {
  /** Called when a client wants log messages from this level on. */
  setLogLevel?(sessionId: string, level: string): void;
  /** Called when a client has finished its handshake. */
  onSessionReady?(sessionId: string): void;
  /** Called when a client's roots have changed. */
  onRootsChanged?(sessionId: string): void;
  /** Called when a client has gone: everything held for it is released. */
  onSessionEnded?(sessionId: string): void;
}

/** A provider as one of several: who may see it, and how its names are told from those of others. */
export interface NamedProvider extends Seen {
  /** The text in front of tool and prompt names; `''` for none. */
  readonly prefix: string;
}

/**
 * A source of tools, prompts and resources: an upstream or a workflow. Code in front of the router does not depend on what is
 * behind this interface. Consumers that need a part of it name that part.
 */
export interface Provider extends NamedProvider, ListSource, CallTarget, SessionObserver {}
