import type { AuditEntry } from '../core/audit-entry.ts';
import type { EndedCall } from '../core/call-audit.ts';
import { redact } from '../redaction/redact.ts';
import { type ByteString, parsedBytes } from '../wire/bytes.ts';
import { levelOf } from './level.ts';
import { outcomeOf } from './outcome.ts';
import { type ArgumentsForm, shownArguments } from './shown-arguments.ts';

/** Names are made up by peers. */
const MAX_NAME = 200;
const MAX_URI = 1_000;
/** Nothing that is farther behind is ever shown, whatever is taken out before it. */
const MAX_LOOKED_AT = 8_192;

type Mask = (text: string) => string;

/** Makes entries of a batch of calls: what several of them have in common is worked out once. */
export class Entries {
  readonly #form: ArgumentsForm;
  readonly #mask: Mask;
  readonly #names = new Map<string, string>();
  readonly #clients = new Map<ByteString, string | undefined>();

  constructor(form: ArgumentsForm, mask: Mask) {
    this.#form = form;
    this.#mask = mask;
  }

  of(call: EndedCall): AuditEntry {
    const { text, client, provider, at, durationMs } = call;
    const { outcome, code } = outcomeOf(call);
    return {
      at: new Date(at).toISOString(),
      session: client.clientId,
      client: this.#clientName(client.clientInfo),
      principal: client.principalName ? this.#name(client.principalName) : undefined,
      method: text.message.method,
      tool: this.#target(call),
      provider: provider?.id,
      level: levelOf(call),
      arguments: shownArguments(text, this.#form, this.#mask),
      outcome,
      code,
      durationMs: Math.round(durationMs * 10) / 10,
    };
  }

  /** What is listed was named by its provider; anything else is a text of the client, and may be anything. */
  #target({ text: { target }, descriptor }: EndedCall): string {
    if (descriptor !== undefined && descriptor.kind !== 'resource') return this.#name(target);
    let shown = this.#names.get(target);
    if (shown === undefined) {
      shown = cut(this.#mask(redact(target.slice(0, MAX_LOOKED_AT)).value), MAX_URI);
      this.#names.set(target, shown);
    }
    return shown;
  }

  #clientName(info: ByteString | undefined): string | undefined {
    if (info === undefined) return undefined;
    if (this.#clients.has(info)) return this.#clients.get(info);
    const { name } = parsedBytes(info) as { name?: unknown };
    const shown = typeof name === 'string' ? this.#name(name) : undefined;
    this.#clients.set(info, shown);
    return shown;
  }

  #name(name: string): string {
    let shown = this.#names.get(name);
    if (shown === undefined) {
      shown = cut(this.#mask(name.slice(0, MAX_LOOKED_AT)), MAX_NAME);
      this.#names.set(name, shown);
    }
    return shown;
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
