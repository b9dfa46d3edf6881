import { type ErrorCode, GatewayError } from '../core/errors.ts';
import type { AuditOutcome } from '../core/providers/audit-entry.ts';
import type { EndedCall } from '../core/providers/call-audit.ts';
import type { Frame } from '../wire/frame.ts';
import { lastMember, membersOf, rawText } from '../wire/lens.ts';
import { openReply, type Reply } from '../wire/reply.ts';

export interface Outcome {
  readonly outcome: AuditOutcome;
  readonly code?: string | number | undefined;
}

/** The errors of calls that were refused before anything began. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TOOL_PINNED',
  'UNKNOWN_TOOL',
  'UNKNOWN_PROMPT',
  'UNKNOWN_RESOURCE',
  'INVALID_ARGUMENTS',
  'INVALID_PARAMS',
  'OUTSIDE_WORKSPACE',
  'PATH_PROTECTED',
  'COMMAND_DENIED',
]);

const OK: Outcome = { outcome: 'ok' };
const TOOL_ERROR: Outcome = { outcome: 'tool-error' };
const CANCELLED: Outcome = { outcome: 'cancelled' };

const IS_ERROR = '"isError"';
/** The number of bytes at the end of a piece that may hold an incomplete word. */
const REACH = IS_ERROR.length - 1;

export function outcomeOf({ ending, provider }: EndedCall): Outcome {
  if (ending === 'cancelled') return CANCELLED;
  if (ending instanceof GatewayError) {
    return { outcome: REFUSALS.has(ending.code) ? 'refused' : 'error', code: ending.code };
  }
  if (ending.outcome === 'error') return { outcome: 'error', code: errorCode(ending) };
  // Failures in a workflow are thrown.
  return provider?.kind !== 'workflow' && isToolError(ending) ? TOOL_ERROR : OK;
}

function errorCode(reply: Reply): number | undefined {
  const { frame, body } = openReply(reply);
  const code = lastMember(membersOf(frame.text, body), 'code');
  return code === undefined ? undefined : Number(rawText(frame.text, code));
}

/** Most results say nothing of an error, and need not be scanned once more, nor joined if they are large. */
function isToolError(reply: Reply): boolean {
  if (reply.source !== undefined && !mentionsError(reply.source.frame)) return false;
  const { frame, body } = openReply(reply);
  const isError = lastMember(membersOf(frame.text, body), 'isError');
  return isError !== undefined && rawText(frame.text, isError) === 'true';
}

/** Looks through the pieces as they are: a large result is not joined for this. */
function mentionsError({ pieces, outline: { start, end } }: Frame): boolean {
  // Other frames are before and behind a small one.
  if (pieces.length === 1) return pieces[0]!.latin1Slice(start, end).includes(IS_ERROR);
  let tail = '';
  for (const piece of pieces) {
    const seam = tail + piece.toString('latin1', 0, REACH);
    if (seam.includes(IS_ERROR) || piece.includes(IS_ERROR)) return true;
    tail = piece.length < REACH ? seam.slice(-REACH) : piece.toString('latin1', piece.length - REACH);
  }
  return false;
}
