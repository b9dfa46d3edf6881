import type { CatalogueView } from '../../catalogue/catalogue-view.ts';
import type { Provider } from '../../core/providers/provider.ts';
import { severityOf } from '../../era/legacy/legacy.ts';
import type { NotificationMessage } from '../../wire/message.ts';
import { severityOfMessage } from '../log-filter.ts';
import type { LegacyIntroduction } from './introduction.ts';

/** The log level of a legacy client: tells the providers that the client sees, and holds messages against it. */
export class ClientLogLevel {
  readonly #sessionId: string;
  readonly #catalogue: Pick<CatalogueView, 'providers'>;
  readonly #introduction: LegacyIntroduction;
  /** The providers that know the level. */
  #told: readonly Provider[] = [];
  #severity: number | undefined;

  constructor(sessionId: string, catalogue: Pick<CatalogueView, 'providers'>, introduction: LegacyIntroduction) {
    this.#sessionId = sessionId;
    this.#catalogue = catalogue;
    this.#introduction = introduction;
  }

  /** Sets the lowest level of log messages that the client wants, from all providers. */
  set(level: string): void {
    this.#severity = severityOf(level);
    this.#introduction.setLogLevel(level);
    this.#told = [];
    this.tell();
  }

  /** Tells the level to the providers that do not know it yet. */
  tell(): void {
    const { logLevel } = this.#introduction.facts;
    if (logLevel === undefined) return;
    const { providers } = this.#catalogue;
    const before = this.#told;
    this.#told = providers;
    for (const provider of providers) if (!before.includes(provider)) provider.setLogLevel?.(this.#sessionId, logLevel);
  }

  /**
   * Returns whether a notification is for the client. Log messages below its level are not, regardless of the level
   * that another client of the upstream has asked for.
   */
  wants(message: NotificationMessage): boolean {
    if (message.method !== 'notifications/message' || this.#severity === undefined) return true;
    return severityOfMessage(message) >= this.#severity;
  }
}
