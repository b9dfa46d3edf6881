import { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import type { LostLine } from '../../../wire/lines/frame-receiver.ts';
import { JsonScanner } from '../../../wire/scanner.ts';
import type { EventPeer } from './peer.ts';
import type { HttpResponse } from './response.ts';

/** Kept of a body that is no frame: enough to find an id in, and to show. */
const KEPT_HEAD = 4_096;
const KEPT_TAIL = 256;

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

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
  const scanner = new JsonScanner();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isJson = true;
  let isOver = false;
  const settle = (body: Body) => {
    if (!isOver) done(body);
    isOver = true;
  };
  const lost = (reason: 'not-json' | 'too-large'): Body => ({ kind: 'lost', line: lostLine(reason, pieces, bytes) });
  response.on('data', (chunk: Buffer) => {
    const part = bytes === 0 ? withoutMark(chunk) : chunk;
    bytes += chunk.length;
    pieces.push(part);
    if (isJson) isJson = isScanned(scanner, part);
    if (bytes >= LONG_BODY && bytes - chunk.length < LONG_BODY) askForRoom(response, pieces[0]!, peer);
    if (bytes <= maxBytes) return;
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

/** What is not read yet stays where it comes from as long as there is no room for it. */
function askForRoom(response: HttpResponse, head: Buffer, peer: BodyOptions['peer']): void {
  peer?.onSpeaking({
    hold: () => response.pause(),
    release: () => response.resume(),
    reward: () => undefined,
  });
  void peer?.isWanted?.(head.subarray(0, KEPT_HEAD));
  peer?.onSpeaking(undefined);
}

/** RFC 8259, section 8.1: a byte order mark may be ignored. */
function withoutMark(first: Buffer): Buffer {
  return first.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? first.subarray(BYTE_ORDER_MARK.length)
    : first;
}

function wholeFrame(scanner: JsonScanner, pieces: readonly Buffer[]): Body | undefined {
  try {
    return { kind: 'frame', frame: new Frame(pieces, scanner.finish()) };
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

function lostLine(reason: LostLine['reason'], pieces: readonly Buffer[], bytes: number): LostLine {
  const all = Buffer.concat(pieces);
  return { reason, head: all.subarray(0, KEPT_HEAD), tail: all.subarray(-KEPT_TAIL), bytes, isCutOff: false };
}
