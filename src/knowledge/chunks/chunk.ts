/** A part of a file that is found and shown as one. */
export interface Chunk {
  /** Lines of the file. In the outline of a class, a line `⋮` stands for those that are left out. */
  readonly text: string;
  /** 1-based, inclusive, as `endLine`. */
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: ChunkKind;
  /** The path of the symbol that the chunk defines, outermost first, such as `Parser.parse`; empty if it defines none. */
  readonly symbol: string;
  /** Names that the chunk defines, without their paths. */
  readonly defines: readonly string[];
}

/** `class` is the outline of a class or the like; `section` a part of a document; `block` what has no structure. */
export type ChunkKind = 'function' | 'method' | 'class' | 'section' | 'block';
