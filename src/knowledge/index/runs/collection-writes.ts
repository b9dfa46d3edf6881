import { createHash } from 'node:crypto';
import { GatewayError } from '../../../core/errors.ts';
import { storableText } from '../../../core/stores/storable-text.ts';
import { redact } from '../../../redaction/redact.ts';
import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { NewSource, Space } from '../../../store/knowledge/rows.ts';
import { bytesOf } from '../../vectors/vector-bytes.ts';
import type { CollectionChunk } from '../collections.ts';
import { FORM, newChunks } from '../texts/new-chunks.ts';

/** Members of a chunk that are for its readers only. */
export interface ChunkDetails {
  readonly section: string;
  readonly category: string;
  readonly chunkIndex: number;
}

/** The methods that change collections. */
export function collectionMethods(store: KnowledgeStore) {
  return {
    createCollection: async (_context: unknown, name: string) => {
      const { space, isNew } = await store.spaces.make('collection', name, name);
      if (isNew) await store.spaces.finish(space.number, FORM);
      return isNew;
    },
    dropCollection: async (_context: unknown, name: string) => {
      const space = await store.spaces.at('collection', name);
      if (space !== undefined) await store.spaces.remove(space);
      return space !== undefined;
    },
    replaceSource: async (_context: unknown, name: string, source: string, chunks: readonly CollectionChunk[]) => {
      const space = await store.spaces.at('collection', name);
      if (space === undefined) throw missing(name);
      await replaceSource(store, space, source, chunks);
    },
  };
}

async function replaceSource(store: KnowledgeStore, space: Space, source: string, chunks: readonly CollectionChunk[]) {
  const known = await store.source(space.number, source);
  if (chunks.length === 0) {
    if (known !== undefined) await store.write(space, [], [known.number]);
    return;
  }
  const made = newSource(source, chunks);
  await store.write(space, [made], [], vectorsOf(made, chunks));
}

function newSource(source: string, chunks: readonly CollectionChunk[]): NewSource {
  const texts = chunks.map(({ text }) => storableText(redact(text).value));
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
  const made = newChunks(
    chunks.map(({ section, category, chunkIndex }, index) => ({
      text: texts[index]!,
      // A document in a collection is known by the numbers of its chunks.
      startLine: chunkIndex,
      endLine: chunkIndex,
      kind: 'section' as const,
      symbol: '',
      defines: [],
      details: storableText(JSON.stringify({ section, category, chunkIndex } satisfies ChunkDetails)),
    })),
  );
  const size = texts.reduce((total, text) => total + text.length, 0);
  return { path: source, hash, size, mtimeMs: 0, ino: 0, tags: [], chunks: made };
}

function vectorsOf({ chunks: made }: NewSource, chunks: readonly CollectionChunk[]) {
  return chunks.flatMap(({ vector }, index) =>
    vector === undefined
      ? []
      : [{ textHash: made[index]!.textHash, model: vector.model, body: bytesOf(vector.values) }],
  );
}

function missing(name: string): GatewayError {
  return new GatewayError('STORE_UNAVAILABLE', `There is no collection ${JSON.stringify(name)}: create it first`, {
    effect: 'none',
  });
}
