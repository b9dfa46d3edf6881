import type { Reply } from '../../wire/reply.ts';
import { denialError, failureReply } from '../failure.ts';
import type { Admission } from './admission.ts';

/** Methods that the gateway answers itself, for which it asks upstreams: each counts as a call of its client. */
export const ASKING_METHODS: ReadonlySet<string> = new Set(['skills/list', 'tasks/list']);

export interface AdmittedBy {
  readonly admission: Admission;
  /** Whose calls are counted together; `undefined` where it could be anybody. */
  readonly payer: string | undefined;
}

/**
 * Answers a request that the gateway answers itself. One that asks upstreams counts as an open call of the client until it
 * is answered, and is refused where that client, or all clients together, have too many.
 */
export function admittedAnswer(
  method: string,
  { admission, payer }: AdmittedBy,
  answer: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  if (!ASKING_METHODS.has(method)) return answer();
  const denial = admission.denial(payer);
  return denial === undefined ? countedAnswer({ admission, payer }, answer) : failureReply(method, denialError(denial));
}

async function countedAnswer({ admission, payer }: AdmittedBy, answer: () => Reply | Promise<Reply>): Promise<Reply> {
  admission.onCallBegun(payer);
  try {
    return await answer();
  } finally {
    admission.onCallEnded(payer);
  }
}
