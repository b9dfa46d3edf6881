/**
 * The functions behind `toString('latin1', …)` and `toString('utf8', …)`. Every Node.js has them; called directly they
 * cost a third, which counts where ten are needed for one call.
 */
declare global {
  interface Buffer<TArrayBuffer extends ArrayBufferLike = ArrayBufferLike> {
    latin1Slice(start?: number, end?: number): string;
    utf8Slice(start?: number, end?: number): string;
  }
}

export {};
