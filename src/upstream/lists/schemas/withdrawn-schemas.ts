import type { Descriptor } from '../../../core/providers/provider.ts';
import { withoutOutputSchema } from '../entries/entry-reader.ts';

/** Tools whose results broke their output schema: they are offered without it until the upstream changes them. */
export class WithdrawnSchemas {
  /** The fingerprint of each tool at that time. */
  readonly #fingerprints = new Map<string, string>();

  /** Tells whether that is news. */
  add({ ownName, fingerprint }: Descriptor): boolean {
    if (this.#fingerprints.get(ownName) === fingerprint) return false;
    this.#fingerprints.set(ownName, fingerprint);
    return true;
  }

  /** The same array where nothing was withdrawn. */
  applyTo(tools: readonly Descriptor[]): readonly Descriptor[] {
    if (this.#fingerprints.size === 0) return tools;
    return tools.map((tool) =>
      this.#fingerprints.get(tool.ownName) === tool.fingerprint ? withoutOutputSchema(tool) : tool,
    );
  }
}
