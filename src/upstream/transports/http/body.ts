import { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import { withoutMark } from '../../../wire/lines/byte-order-mark.ts';
import type { LostLine } from '../../../wire/lines/frame-receiver.ts';
import { KEPT_HEAD, Remains } from '../../../wire/lines/remains.ts';
import { PieceList } from '../../../wire/output/piece-list.ts';
import type { Outline } from '../../../wire/scanning/outline.ts';
import { type JsonScanner, scannerForPeer } from '../../../wire/scanning/scanner.ts';
import type { EventPeer } from './peer.ts';
import type { HttpResponse } from './response.ts';

/** The result of reading a response's body. */
export type Body =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'lost'; readonly line: LostLine }
  | { readonly kind: 'empty' }
  /** The connection ended before the body did. */
  | { readonly kind: 'broken' };

/** The length from which on the receiver of the body is asked whether it has room, in bytes. */
const LONG_BODY = 128 * 1024;

export interface BodyOptions {
  readonly maxBytes: number;
  /** Told of a body that grows long; may have it wait. */
  readonly peer?: Pick<EventPeer, 'isWanted' | 'onSpeaking'>;
}

/** Reads a body as one JSON text, scanning it while it arrives; `done` is called once, unless the response is destroyed by us. */
export function readBody(response: HttpResponse, { maxBytes, peer }: BodyOptions, done: (body: Body) => void): void {
  const scanner = scannerForPeer();
  const pieces = new PieceList();
  /** The syntax error, if the text is not JSON. */
  let problem: string | undefined;
  let isOver = false;
  const settle = (body: Body) => {
    if (!isOver) done(body);
    isOver = true;
  };
  const lost = (reason: 'not-json' | 'too-large'): Body => ({ kind: 'lost', line: lostLine(reason, pieces, problem) });
  response.on('data', (chunk: Buffer) => {
    const part = pieces.length === 0 ? withoutMark(chunk) : chunk;
    pieces.add(part);
    if (problem === undefined) problem = problemOfPush(scanner, part);
    const { length } = pieces;
    if (length >= LONG_BODY && length - part.length < LONG_BODY) askForRoom(response, pieces.head(KEPT_HEAD), peer);
    if (length <= maxBytes) return;
    settle(lost('too-large'));
    response.destroy();
  });
  response.on('end', () => {
    if (problem === undefined && scanner.isBlank) {
      settle({ kind: 'empty' });
      return;
    }
    const outline = problem === undefined ? finished(scanner) : problem;
    if (typeof outline !== 'string') settle({ kind: 'frame', frame: new Frame(pieces.take(), outline) });
    else {
      problem = outline;
      settle(lost('not-json'));
    }
  });
  response.on('error', () => undefined); // `close` follows
  response.on('close', () => settle({ kind: 'broken' }));
}

/** Pauses the response while there is no room for the rest of its body. */
function askForRoom(response: HttpResponse, head: Buffer, peer: BodyOptions['peer']): void {
  peer?.onSpeaking({
    hold: () => response.pause(),
    release: () => response.resume(),
    reward: () => undefined,
  });
  void peer?.isWanted?.(head);
  peer?.onSpeaking(undefined);
}

function problemOfPush(scanner: JsonScanner, piece: Buffer): string | undefined {
  try {
    scanner.push(piece);
    return undefined;
  } catch (error) {
    return problemIn(error);
  }
}

/** Returns the outline of the text, or what is wrong with it. */
function finished(scanner: JsonScanner): Outline | string {
  try {
    return scanner.finish();
  } catch (error) {
    return problemIn(error);
  }
}

function problemIn(error: unknown): string {
  if (error instanceof JsonTextError) return error.message;
  throw error;
}

function lostLine(reason: LostLine['reason'], pieces: PieceList, problem: string | undefined): LostLine {
  const remains = new Remains();
  for (const piece of pieces.take()) remains.add(piece);
  return remains.lostLine(reason, false, problem);
}
