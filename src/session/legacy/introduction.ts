import { asObject } from '../../core/json/as-object.ts';
import { startFolder } from '../../core/providers/client-folder.ts';
import type { ClientFacts } from '../../core/providers/provider.ts';
import { type PassedCapabilities, passedCapabilities } from '../../era/extensions.ts';
import { allowsBatches, inNewestWords, type LegacyRevision, NEWEST_LEGACY } from '../../era/legacy/legacy.ts';
import { withoutTasks } from '../../era/tasks.ts';
import { jsonBytes } from '../../wire/bytes.ts';
import type { Introduction } from '../connected-client.ts';
import type { SessionOptions } from '../session-host.ts';

/** A legacy client's words about itself: those of `initialize`, and what it has said since. */
export class LegacyIntroduction implements Introduction {
  #revision: LegacyRevision = NEWEST_LEGACY;
  #capabilities: Readonly<Record<string, unknown>> = {};
  #clientInfo: Readonly<Record<string, unknown>> = {};
  #facts: ClientFacts;

  /** @param scope what the client may see of the gateway */
  constructor({ id, principal, folder, folderRule, depth, isBrief }: SessionOptions, scope: ClientFacts['scope']) {
    this.#facts = {
      era: 'legacy',
      clientId: id,
      principal: principal?.id,
      principalName: principal?.name,
      capabilities: '{}',
      clientInfo: undefined,
      logLevel: undefined,
      folder: startFolder(folder),
      folderRule,
      depth,
      ...(isBrief === true && { isSessionless: true }),
      scope,
    };
  }

  get revision(): LegacyRevision {
    return this.#revision;
  }

  get allowsBatches(): boolean {
    return allowsBatches(this.#revision);
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#capabilities;
  }

  get clientInfo(): Readonly<Record<string, unknown>> {
    return this.#clientInfo;
  }

  get passed(): PassedCapabilities {
    return passedCapabilities(this.#capabilities);
  }

  get isIntroduced(): boolean {
    return this.#facts.clientInfo !== undefined;
  }

  /** The client as providers know it; another object after each change. */
  get facts(): ClientFacts {
    return this.#facts;
  }

  /** Notes the params of `initialize`, and the revision that was agreed on. */
  introduce(revision: LegacyRevision, params: Readonly<Record<string, unknown>>): void {
    this.#revision = revision;
    this.#capabilities = inNewestWords(revision, asObject(params.capabilities));
    this.#clientInfo = asObject(params.clientInfo);
    this.#facts = {
      ...this.#facts,
      capabilities: jsonBytes(withoutTasks(this.#capabilities)),
      clientInfo: jsonBytes(this.#clientInfo),
    };
  }

  /** Notes the folder that the client says it works in now. */
  setFolder(folder: string): void {
    if (folder !== this.#facts.folder?.path)
      this.#facts = { ...this.#facts, folder: { path: folder, source: 'request' } };
  }

  /** Notes the level from which on the client wants log messages. */
  setLogLevel(logLevel: string): void {
    this.#facts = { ...this.#facts, logLevel };
  }
}
