import type { Readable } from 'node:stream';

/** The limits on how long a client may continue to send data that is not read, in milliseconds. */
export interface LingerLimits {
  /** The time without a byte. */
  readonly silenceMs: number;
  /** Altogether. */
  readonly totalMs: number;
}

const LIMITS: LingerLimits = { silenceMs: 5_000, totalMs: 30_000 };

/**
 * Reads and drops what a client still sends, and calls back once: at the end, after a silence, or when it has taken
 * too long. A connection that is closed with unread bytes is reset, and a reset can destroy the answer before the
 * client has read it (RFC 9112, section 9.6).
 */
export function linger(source: Readable, onOver: () => void, limits: LingerLimits = LIMITS): void {
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    clearTimeout(total);
    source.off('data', onData);
    onOver();
  };
  const onData = () => void silence.refresh();
  const silence = setTimeout(over, limits.silenceMs);
  const total = setTimeout(over, limits.totalMs);
  silence.unref();
  total.unref();
  if (source.readableEnded || source.destroyed) {
    over();
    return;
  }
  source.once('end', over).once('close', over).once('error', over).on('data', onData);
  source.resume();
}
