import { asObject } from '../../core/json/as-object.ts';
import { type PassedCapabilities, passedCapabilities } from '../../era/extensions.ts';
import type { Envelope } from '../../era/modern/envelope.ts';
import { type ByteString, parsedBytes } from '../../wire/bytes.ts';
import type { Introduction } from '../connected-client.ts';

/** The most names of clients on one endpoint that the log gets. */
const MAX_GREETED = 100;
/** The most characters of a client's words about itself that are kept: they may be as long as a message. */
const MAX_NOTED = 64 * 1024;

/** The words of the newest request about its client: in the modern era each request introduces its client. */
export class ModernIntroduction implements Introduction {
  readonly #onNewName: (name: string) => void;
  #name = 'unknown';
  /** The capabilities as the newest request wrote them. */
  #capabilities: ByteString | undefined;
  /** The client's description as the newest request that had one wrote it. */
  #clientText: ByteString | undefined;
  /** Names that are known: several clients may share an endpoint, and call by turns. */
  readonly #greeted = new Set<string>();

  /** @param onNewName is called once for each name */
  constructor(onNewName: (name: string) => void) {
    this.#onNewName = onNewName;
  }

  get isIntroduced(): boolean {
    return this.#capabilities !== undefined;
  }

  /** The name that the newest request gave. */
  get clientInfo(): Readonly<Record<string, unknown>> {
    return { name: this.#name };
  }

  get passed(): PassedCapabilities {
    return passedCapabilities(asObject(parsedBytes(this.#capabilities ?? '{}')));
  }

  /** Notes what a request says about its client. */
  note({ capabilities, clientInfo }: Pick<Envelope, 'capabilities' | 'clientInfo'>): void {
    // They are kept for as long as the client is known: longer ones count as none here.
    this.#capabilities = capabilities.length <= MAX_NOTED ? capabilities : '{}';
    if (clientInfo === undefined || clientInfo === this.#clientText || clientInfo.length > MAX_NOTED) return;
    this.#clientText = clientInfo;
    const { name } = parsedBytes(clientInfo) as { name?: unknown };
    if (typeof name !== 'string') return;
    this.#name = name;
    if (this.#greeted.has(name) || this.#greeted.size >= MAX_GREETED) return;
    this.#greeted.add(name);
    this.#onNewName(name);
  }
}
