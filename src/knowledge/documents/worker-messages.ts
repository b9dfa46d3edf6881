import type { DocumentChunk } from './document-chunks.ts';

/** A document to read. One at a time. */
export interface ToWorker {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export type FromWorker =
  | { readonly kind: 'chunks'; readonly chunks: readonly DocumentChunk[] }
  | { readonly kind: 'failure'; readonly reason: string };
