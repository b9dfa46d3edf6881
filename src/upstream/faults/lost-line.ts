import type { LostLine } from '../../wire/lines/frame-receiver.ts';

const ID_AT_HEAD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,16})"?\s*,/;
const ID_AT_TAIL = /"id"\s*:\s*"?(\d{1,16})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

const ANSWER_AT_HEAD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,16})"?\s*,\s*"(?:result|error)"/;

/** Returns the id of the request that a line with this beginning answers; `undefined` if that cannot be seen. */
export function answeredId(head: Buffer): number | undefined {
  const match = ANSWER_AT_HEAD.exec(head.toString('latin1', 0, 256));
  return match === null ? undefined : Number(match[1]);
}

/**
 * Returns the id of the request that a lost line most likely answered, judged by its first and last bytes: servers
 * write the id before everything else, or after. A wrong guess fails a call of the same upstream, never another's. Half
 * a response of a process that died counts as none: its death says more.
 */
export function guessResponseId(line: LostLine): number | undefined {
  if (line.isCutOff) return undefined;
  const match = ID_AT_HEAD.exec(line.head.toString('latin1')) ?? ID_AT_TAIL.exec(line.tail.toString('latin1'));
  return match === null ? undefined : Number(match[1]);
}
