import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import { isForAppsOnly } from '../catalogue/own-tool.ts';
import { MAX_NAME_LENGTH } from '../core/access/name-filter.ts';
import { meantWords } from '../core/text/name-hint.ts';
import { nearestNames } from '../core/text/nearest-names.ts';
import { TokenBuckets } from '../core/timing/token-bucket.ts';

/** A search compares many names. Clients that call unknown names all the time get no hints for a while. */
const SEARCHES = { capacity: 50, perMinute: 300 };

/** Troubles of upstreams that a hint names. */
const MAX_TROUBLES = 5;

/** Suggests names for an unknown name of a tool or prompt, from the names that a client may see. */
export class UnknownNames {
  readonly #catalogue: CatalogueView;
  readonly #troubles: () => readonly string[];
  readonly #searches = new TokenBuckets(() => SEARCHES);

  /** `troubles` says which upstreams that the clients may see are not ready, or have lists that failed, in a few words each. */
  constructor(catalogue: CatalogueView, troubles: () => readonly string[]) {
    this.#catalogue = catalogue;
    this.#troubles = troubles;
  }

  /** Says about a name that no provider has what may have been meant, or which upstreams are in trouble. */
  unknown(kind: 'tool' | 'prompt', name: string): string {
    if (!this.#maySearch(name)) return '';
    return [this.#meant(kind, name), this.#away()].filter((sentence) => sentence !== '').join(' ');
  }

  /** Says about a tool that its upstream was asked for, and does not list, what may have been meant. */
  unlisted(name: string): string {
    return this.#maySearch(name) ? this.#meant('tool', name) : '';
  }

  #maySearch(name: string): boolean {
    return name.length <= MAX_NAME_LENGTH && this.#searches.take('') === 0;
  }

  #meant(kind: 'tool' | 'prompt', name: string): string {
    const candidates = [...this.#catalogue.routes(kind)]
      // An app that calls another server's tool is not told by which name it would succeed.
      .filter(([, route]) => !isForAppsOnly(route))
      .flatMap(([told, { ownName }]) => [
        { told, compared: told },
        { told, compared: ownName },
      ]);
    return meantWords(nearestNames(name, candidates));
  }

  #away(): string {
    const troubles = this.#troubles();
    if (troubles.length === 0) return '';
    const left = troubles.length - MAX_TROUBLES;
    const shown = troubles.slice(0, MAX_TROUBLES).join('; ');
    return `It may be missing because servers are in trouble: ${left > 0 ? `${shown} and ${left} more` : shown}.`;
  }
}

/** Adds sentences to a text. */
export function withSentences(text: string, sentences: string): string {
  if (sentences === '') return text;
  return /[.!?]\s*$/.test(text) ? `${text.trimEnd()} ${sentences}` : `${text}. ${sentences}`;
}
