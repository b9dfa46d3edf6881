import type { ModelRequest } from '../../core/settings/model-backends.ts';
import type { BackendOptions } from '../../core/settings/models-options.ts';
import type { ServiceKind } from '../../services/service-kinds.ts';

/** The options of a backend with its address filled in. */
export interface BackendSettings extends BackendOptions {
  readonly name: string;
  readonly url: string;
}

/** Content of a piece of a streamed answer. */
export interface ChatPiece {
  readonly text?: string;
  /** The model writes down thoughts before its answer. They are no part of the answer. */
  readonly isThought?: boolean;
  /** The model that answers, as the service has it. */
  readonly model?: string;
  /** The reason why the answer ends: it is complete, or the limit on tokens was reached. */
  readonly end?: 'whole' | 'length';
  /** True if nothing follows. */
  readonly isLast?: boolean;
  /** The error with which the service failed in the middle of its response. */
  readonly error?: string;
}

/** Requests and answers of one kind of service. */
export interface ChatDialect {
  /** The service in messages. */
  readonly name: string;
  readonly kind: ServiceKind;
  /** Form of a stream: a JSON text on each line, or server-sent events with one in their data. */
  readonly framing: 'lines' | 'events';
  /** Returns the full address for requests. */
  endpoint(settings: BackendSettings): string;
  headers(settings: BackendSettings): Readonly<Record<string, string>>;
  /** Returns the body of a request. `model` is absent if neither the call nor the config names one. */
  body(settings: BackendSettings, request: ModelRequest): unknown;
  /** Reads the JSON of a piece of a stream. */
  read(piece: unknown): ChatPiece;
  /** Reads the JSON of an answer that is not streamed, as some servers send it although they were asked for a stream. */
  readWhole(answer: unknown): ChatPiece;
  /** Returns the address that a cheap check asks for. */
  checkEndpoint(settings: BackendSettings): string;
  /** Says what a check has found wrong with an answer of status 200; `undefined` if nothing. */
  checkAnswer(settings: BackendSettings, answer: unknown): string | undefined;
  /** True if requests must name a model. */
  readonly needsModel: boolean;
}

/** Returns the text of a member; `undefined` if it is none. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns true if one of these is a text that is not empty; `undefined` if none is. */
export function hasText(...values: readonly unknown[]): true | undefined {
  return values.some((value) => typeof value === 'string' && value !== '') || undefined;
}

/** Leaves out the members that are `undefined`. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
