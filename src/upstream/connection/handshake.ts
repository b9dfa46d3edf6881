import { GatewayError } from '../../core/errors.ts';
import { asObject } from '../../core/json/as-object.ts';
import type { Era } from '../../core/providers/provider.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { mebibytes } from '../../core/text/mebibytes.ts';
import type { PassedCapabilities } from '../../era/extensions.ts';
import { isLegacyRevision, type LegacyRevision, NEWEST_LEGACY } from '../../era/legacy/legacy.ts';
import { type Discovery, type DiscoveryAnswer, ownEnvelope, readDiscovery } from '../../era/modern/discovery.ts';
import { MODERN_REVISION } from '../../era/modern/modern.ts';
import { valueAt } from '../../wire/lens.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import type { Link } from './link.ts';

/** The facts that an upstream reports about itself. */
export interface ServerFacts extends Discovery {
  readonly era: Era;
  readonly protocolVersion: LegacyRevision | typeof MODERN_REVISION;
}

/** The reason is shown in states, logs and errors, and a server's own words may be in it. */
const MAX_REASON = 600;
/**
 * The largest description of itself that a server may send, in bytes. It is kept, stored and sent to clients; icons are
 * most of it.
 */
const MAX_FACTS_BYTES = 4 * 1024 * 1024;

/** The upstream answered, but not as a server does that we can speak to: trying again would give the same. */
export class HandshakeError extends Error {
  constructor(reason: string) {
    super(cutText(`handshake: ${reason}`, MAX_REASON));
    this.name = 'HandshakeError';
  }
}

export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/**
 * The way in which a server is opened: as a server of one era only; assuming the era that it had recently; or by
 * asking, because its era is unknown.
 */
export type Opening = 'legacy' | 'modern' | 'assume-legacy' | 'assume-modern' | 'ask';

export interface HandshakeOptions {
  readonly clientInfo: Implementation;
  /** The client capabilities that a legacy server is told about. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Returns what the server is told about clients, apart from the capabilities it can call on; called when it is told. */
  readonly passed: () => PassedCapabilities;
  readonly opening: Opening;
  /** The limit for the whole handshake, in milliseconds. */
  readonly timeoutMs: number;
}

/** The time after which a server that does not respond to `server/discover` is also sent `initialize`, in milliseconds. */
const MAX_SILENCE_MS = 5_000;

/**
 * Finds out the era of a server in place: the process that is asked is the one that will be used (2026-07-28, stdio,
 * "Backward Compatibility"). Afterwards the link speaks that era.
 * @throws HandshakeError if the response is not valid; GatewayError if there is no response.
 */
export async function handshake(link: Link, options: HandshakeOptions): Promise<ServerFacts> {
  const facts = await new Handshake(link, options).run();
  if (facts.era === 'legacy') link.outbox.notify('notifications/initialized');
  else link.speakModern(ownEnvelope(options.clientInfo, options.passed()));
  return facts;
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

class Handshake {
  readonly #link: Link;
  readonly #options: HandshakeOptions;
  readonly #until: number;
  readonly #silenceMs: number;

  constructor(link: Link, options: HandshakeOptions) {
    this.#link = link;
    this.#options = options;
    this.#until = performance.now() + options.timeoutMs;
    this.#silenceMs = Math.min(MAX_SILENCE_MS, options.timeoutMs / 2);
  }

  run(): Promise<ServerFacts> {
    switch (this.#options.opening) {
      case 'legacy':
        return this.#initialize();
      case 'modern':
        return this.#discoverOnly();
      case 'assume-legacy':
        return this.#initializeFirst();
      case 'assume-modern':
      case 'ask':
        return this.#discoverFirst();
    }
  }

  async #discoverOnly(): Promise<ServerFacts> {
    const answer = await this.#discover();
    if (answer.kind === 'modern') return factsOf(answer.discovery);
    throw new HandshakeError(`server/discover was answered with ${answer.said}`);
  }

  async #initializeFirst(): Promise<ServerFacts> {
    const legacy = await settled(this.#initialize());
    if ('value' in legacy) return legacy.value;
    if (!(legacy.error instanceof HandshakeError)) throw legacy.error;
    return (await this.#modernFacts(this.#discover())) ?? fail(legacy.error);
  }

  async #discoverFirst(): Promise<ServerFacts> {
    const discovery = this.#discover();
    // Once it was modern, it is given all the time it needs: `initialize` means nothing to it.
    const patienceMs = this.#options.opening === 'ask' ? this.#silenceMs : this.#options.timeoutMs;
    const answer = await within(settled(discovery), patienceMs);
    if (answer === undefined) return this.#initializeToo(discovery);
    if ('error' in answer) {
      if (!isAnswer(answer.error)) throw answer.error;
      return this.#initialize();
    }
    return answer.value.kind === 'modern' ? factsOf(answer.value.discovery) : this.#initialize();
  }

  /** Sends `initialize` in addition. Its response decides: a server of both eras then counts as legacy. */
  async #initializeToo(discovery: Promise<DiscoveryAnswer>): Promise<ServerFacts> {
    const legacy = settled(this.#initialize());
    const modern = this.#modernFacts(discovery);
    const isModern = modern.then((facts) => facts ?? new Promise<never>(() => undefined));
    await Promise.race([legacy, isModern]);
    const outcome = await within(legacy, this.#silenceMs);
    if (outcome !== undefined && 'value' in outcome) return outcome.value;
    return (await modern) ?? fail(outcome === undefined ? undefined : outcome.error);
  }

  /** Returns the facts that a modern server reports about itself; `undefined` if the server is not modern. */
  async #modernFacts(discovery: Promise<DiscoveryAnswer>): Promise<ServerFacts | undefined> {
    const answer = await settled(discovery);
    return 'value' in answer && answer.value.kind === 'modern' ? factsOf(answer.value.discovery) : undefined;
  }

  async #discover(): Promise<DiscoveryAnswer> {
    const answer = await this.#askOnce();
    if (answer.kind !== 'ask-again') return answer;
    const second = await this.#askOnce();
    if (second.kind === 'modern') return second;
    throw new HandshakeError(`it lists protocol version ${MODERN_REVISION} and refuses it: ${second.said}`);
  }

  async #askOnce(): Promise<DiscoveryAnswer> {
    const envelope = `{"_meta":{${ownEnvelope(this.#options.clientInfo, this.#options.passed())}}}`;
    const response = await this.#link.requestText('server/discover', envelope, this.#leftMs());
    checkSize(response);
    return readDiscovery(response);
  }

  async #initialize(): Promise<ServerFacts> {
    const response = await this.#link.request(
      'initialize',
      {
        protocolVersion: NEWEST_LEGACY,
        capabilities: { ...this.#options.capabilities, ...this.#options.passed() },
        clientInfo: this.#options.clientInfo,
      },
      this.#leftMs(),
    );
    return readFacts(response);
  }

  #leftMs(): number {
    return Math.max(1, Math.ceil(this.#until - performance.now()));
  }
}

/**
 * The era of a server that answers nonsense is known as well as that of one that answers with an error. Over HTTP
 * neither a server that is in trouble nor one that wants to know who we are has said anything about it.
 */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { status = 0 } = error.detail;
  return error.code === 'UPSTREAM_INVALID_ANSWER' || (status >= 400 && status < 500 && !SILENT_STATUSES.has(status));
}

const SILENT_STATUSES: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

async function settled<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}

/** Resolves with the promise's value; with `undefined` if it takes longer than `ms` milliseconds. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function fail(error: unknown): never {
  throw error;
}

function factsOf(discovery: Discovery): ServerFacts {
  return { era: 'modern', protocolVersion: MODERN_REVISION, ...discovery };
}

function checkSize({ result }: ResponseMessage): void {
  const bytes = result === undefined ? 0 : result.end - result.start;
  if (bytes <= MAX_FACTS_BYTES) return;
  throw new HandshakeError(
    `its description of itself is too large (${mebibytes(bytes)}; at most ${MAX_FACTS_BYTES / 1024 / 1024} MiB)`,
  );
}

function readFacts(response: ResponseMessage): ServerFacts {
  checkSize(response);
  const { frame, result, error } = response;
  if (result === undefined) {
    const said =
      error === undefined ? 'neither a result nor an error' : frame.text.toString('utf8', error.start, error.end);
    throw new HandshakeError(`initialize was answered with ${cutText(said, 500)}`);
  }
  const facts = asObject(valueAt(frame.text, result));
  if (!isLegacyRevision(facts.protocolVersion)) {
    throw new HandshakeError(`it speaks protocol version ${JSON.stringify(facts.protocolVersion)}, which we do not`);
  }
  return {
    era: 'legacy',
    protocolVersion: facts.protocolVersion,
    capabilities: asObject(facts.capabilities),
    serverInfo: asObject(facts.serverInfo),
    instructions: typeof facts.instructions === 'string' ? facts.instructions : undefined,
  };
}
