import type { Space } from '../../../store/knowledge/rows.ts';
import { EmbeddingError } from '../../embeddings/embedding-error.ts';
import { bytesOf } from '../../vectors/vector-bytes.ts';
import { unpack } from '../texts/packed-text.ts';
import type { IndexContext } from './index-context.ts';
import type { ProgressMeter } from './progress-meter.ts';

/** The number of texts that the service takes at once. */
const TEXTS_AT_ONCE = 200;

/**
 * Gives the texts of a space the vectors that they lack. Returns why that ended early, for people: what has no vector is
 * found by its words, and gets one at the next run.
 */
export async function embedMissing(
  { store, embedder }: IndexContext,
  space: Space,
  meter: ProgressMeter | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (embedder === undefined) return undefined;
  const missing = await store.vectors.missing(space.number, embedder);
  for (let at = 0; at < missing.length; at += TEXTS_AT_ONCE) {
    const texts = await store.vectors.bodies(missing.slice(at, at + TEXTS_AT_ONCE));
    meter?.embedding();
    try {
      const vectors = await embedder.embed(texts.map(unpack), signal);
      const bodies = texts.map(({ text }, index) => ({ text, body: bytesOf(vectors[index]!) }));
      await store.vectors.put(embedder.model, bodies);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EmbeddingError)) throw error;
      return error.message;
    }
  }
  return undefined;
}
