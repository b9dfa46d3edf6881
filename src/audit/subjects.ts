import type { AuditSubject } from '../core/providers/audit-entry.ts';
import type { EndedCall } from '../core/providers/call-audit.ts';
import { cutText, escapeInvisible } from '../core/text/clean-text.ts';
import { cutOutsideSecrets } from '../redaction/cut-outside-secrets.ts';
import { redact } from '../redaction/redact.ts';
import type { Masker } from '../telemetry/masker.ts';
import { type ByteString, parsedBytes } from '../wire/bytes.ts';
import { levelOf } from './level.ts';

/** Names are made up by peers. */
const MAX_NAME = 200;
const MAX_URI = 1_000;
/** The number of characters that are looked at: text behind them is never shown, regardless of what is removed before it. */
const MAX_LOOKED_AT = 8_192;

/** Replaces secrets that are known, in any text and in names of the gateway's lists. */
export type NameMasker = Pick<Masker, 'mask' | 'maskName'>;

interface Known {
  readonly call: EndedCall;
  readonly json: string;
}

/** Subjects of calls: most are those of another call of the last moments, and are worked out once. */
export class Subjects {
  readonly #masker: NameMasker;
  /** The known subjects, by session and then by what is called. */
  readonly #known = new Map<string, Map<string, Known>>();

  constructor(masker: NameMasker) {
    this.#masker = masker;
  }

  /** Returns the members of a call's subject as JSON, without the braces. */
  jsonOf(call: EndedCall): string {
    const { clientId } = call.client;
    let ofClient = this.#known.get(clientId);
    if (ofClient === undefined) {
      ofClient = new Map();
      this.#known.set(clientId, ofClient);
    }
    const { target } = call.text;
    let known = ofClient.get(target);
    if (known === undefined || !isSame(known.call, call)) {
      known = { call, json: escapeInvisible(JSON.stringify(this.#make(call))).slice(1, -1) };
      ofClient.set(target, known);
    }
    return known.json;
  }

  #make(call: EndedCall): AuditSubject {
    const { text, client, provider } = call;
    return {
      session: client.clientId,
      client: this.#clientName(client.clientInfo),
      principal: client.principalName ? this.#name(client.principalName) : undefined,
      method: text.message.method,
      tool: this.#target(call),
      provider: provider?.id,
      level: levelOf(call),
    };
  }

  /**
   * Returns the target as the audit records it. A listed entry was named by its provider; any other target is free text
   * of the client.
   */
  #target({ text: { target }, descriptor }: EndedCall): string {
    if (descriptor !== undefined && descriptor.kind !== 'resource')
      return cutText(this.#masker.maskName(cutText(target, MAX_LOOKED_AT)), MAX_NAME);
    return cutText(this.#masker.mask(redact(cutOutsideSecrets(target, MAX_LOOKED_AT)).value), MAX_URI);
  }

  #clientName(info: ByteString | undefined): string | undefined {
    if (info === undefined) return undefined;
    const { name } = parsedBytes(info) as { name?: unknown };
    return typeof name === 'string' ? this.#name(name) : undefined;
  }

  #name(name: string): string {
    return cutText(this.#masker.mask(cutText(name, MAX_LOOKED_AT)), MAX_NAME);
  }
}

/** Returns true if two calls of the same session and name have the same subject. */
function isSame(one: EndedCall, other: EndedCall): boolean {
  return (
    one.descriptor === other.descriptor &&
    one.provider === other.provider &&
    one.text.message.method === other.text.message.method &&
    one.client.clientInfo === other.client.clientInfo
  );
}
