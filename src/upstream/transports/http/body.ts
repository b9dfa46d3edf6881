import { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import { withoutMark } from '../../../wire/lines/byte-order-mark.ts';
import type { LostLine } from '../../../wire/lines/frame-receiver.ts';
import { KEPT_HEAD, Remains } from '../../../wire/lines/remains.ts';
import { PieceList } from '../../../wire/piece-list.ts';
import { DEFAULT_MAX_DEPTH, JsonScanner, MAX_PARTS } from '../../../wire/scanner.ts';
import type { EventPeer } from './peer.ts';
import type { HttpResponse } from './response.ts';

/** What the body of a response came to. */
export type Body =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'lost'; readonly line: LostLine }
  | { readonly kind: 'empty' }
  /** The connection ended before the body did. */
  | { readonly kind: 'broken' };

/** From this length on the receiver of the body is asked whether it has room. */
const LONG_BODY = 128 * 1024;

export interface BodyOptions {
  readonly maxBytes: number;
  /** Told of a body that grows long; may have it wait. */
  readonly peer?: Pick<EventPeer, 'isWanted' | 'onSpeaking'>;
}

/** Reads a body as one JSON text, scanning it while it arrives; `done` is called once, unless the response is destroyed by us. */
export function readBody(response: HttpResponse, { maxBytes, peer }: BodyOptions, done: (body: Body) => void): void {
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
    const part = pieces.length === 0 ? withoutMark(chunk) : chunk;
    pieces.add(part);
    if (isJson) isJson = isScanned(scanner, part);
    const { length } = pieces;
    if (length >= LONG_BODY && length - part.length < LONG_BODY) askForRoom(response, pieces.head(KEPT_HEAD), peer);
    if (length <= maxBytes) return;
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
  const remains = new Remains();
  for (const piece of pieces.take()) remains.add(piece);
  return remains.lostLine(reason, false);
}
