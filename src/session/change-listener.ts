import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { ClientSession, EntryKind } from '../core/providers/provider.ts';

/** A stream of changes of a modern client, as far as the list of connected clients needs it. */
export interface ChangeListener extends ClientSession {
  /** The catalogue as its client sees it. */
  readonly catalogue: CatalogueView;
  /** Called when there are new or other providers. */
  onProvidersChanged(): void;
  /** Lists of its view have changed. */
  onCatalogueChange(kinds: ReadonlySet<EntryKind>): void;
}

/** The list of streams of changes that are open: each stream enters and leaves it by itself. */
export interface ListenerRegister {
  addListener(listener: ChangeListener): void;
  removeListener(listener: ChangeListener): void;
}
