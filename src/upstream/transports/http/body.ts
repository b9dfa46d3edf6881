import { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import type { LostLine } from '../../../wire/newline-framer.ts';
import { PieceList } from '../../../wire/piece-list.ts';
import { DEFAULT_MAX_DEPTH, JsonScanner, MAX_PARTS } from '../../../wire/scanner.ts';
import type { HttpResponse } from './response.ts';

/** Kept of a body that is no frame: enough to find an id in, and to show. */
const KEPT_HEAD = 4_096;
const KEPT_TAIL = 256;

/** What the body of a response came to. */
export type Body =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'lost'; readonly line: LostLine }
  | { readonly kind: 'empty' }
  /** The connection ended before the body did. */
  | { readonly kind: 'broken' };

/** Reads a body as one JSON text, scanning it while it arrives; `done` is called once, unless the response is destroyed by us. */
export function readBody(response: HttpResponse, maxBytes: number, done: (body: Body) => void): void {
  const scanner = new JsonScanner(DEFAULT_MAX_DEPTH, MAX_PARTS);
  const pieces = new PieceList();
  let isJson = true;
  let isOver = false;
  const settle = (body: Body) => {
    if (!isOver) done(body);
    isOver = true;
  };
  const lost = (reason: 'not-json' | 'too-large'): Body => ({ kind: 'lost', line: lostLine(reason, pieces) });
  response.on('data', (chunk: Buffer) => {
    pieces.add(chunk);
    if (isJson) isJson = isScanned(scanner, chunk);
    if (pieces.length <= maxBytes) return;
    settle(lost('too-large'));
    response.destroy();
  });
  response.on('end', () => {
    if (isJson && scanner.isBlank) settle({ kind: 'empty' });
    else settle((isJson ? wholeFrame(scanner, pieces) : undefined) ?? lost('not-json'));
  });
  response.on('error', () => undefined); // `close` follows
  response.on('close', () => settle({ kind: 'broken' }));
}

function wholeFrame(scanner: JsonScanner, pieces: PieceList): Body | undefined {
  try {
    const outline = scanner.finish();
    return { kind: 'frame', frame: new Frame(pieces.take(), outline) };
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

function isScanned(scanner: JsonScanner, chunk: Buffer): boolean {
  try {
    scanner.push(chunk);
    return true;
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

function lostLine(reason: LostLine['reason'], pieces: PieceList): LostLine {
  const bytes = pieces.length;
  const all = Buffer.concat(pieces.take());
  return { reason, head: all.subarray(0, KEPT_HEAD), tail: all.subarray(-KEPT_TAIL), bytes, isCutOff: false };
}
