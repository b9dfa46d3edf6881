import { asObject } from '../json/as-object.ts';

/** A client has a handful of folders open; each root costs a look at the file system. */
export const MAX_ROOTS = 100;
/** The longest path of an operating system (4,096 bytes), with each byte escaped. */
const MAX_URI = 3 * 4096 + 'file://'.length;

/** The sentence in messages about roots that are not used. */
export const ROOTS_BOUND = `only the first ${MAX_ROOTS} roots are used, and none whose uri is longer than ${MAX_URI} characters`;

/** Returns the first `most` roots that a client sent, and how many more it sent than are used. */
export function boundedRoots(
  roots: unknown,
  most: number = MAX_ROOTS,
): { readonly roots: readonly unknown[]; readonly leftOut: number } {
  if (!Array.isArray(roots)) return { roots: [], leftOut: 0 };
  const used = roots.slice(0, most).filter((root) => String(asObject(root).uri).length <= MAX_URI);
  return { roots: used, leftOut: roots.length - used.length };
}
