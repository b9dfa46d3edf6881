import type { Reply } from '../../wire/reply.ts';
import { denialError, failureReply } from '../failure.ts';
import type { CallQuota } from './call-quota.ts';

/** Methods that the gateway answers itself, for which it asks upstreams: each counts as a call of its client. */
export const ASKING_METHODS: ReadonlySet<string> = new Set(['skills/list', 'tasks/list']);

export interface AdmittedBy {
  readonly quota: CallQuota;
  /** The client whose calls are counted together; `undefined` if it could be any client. */
  readonly payer: string | undefined;
}

/**
 * Answers a request that the gateway answers itself. One that asks upstreams counts as an open call of the client until it
 * is answered, and is refused where that client, or all clients together, have too many.
 */
export function admittedAnswer(
  method: string,
  { quota, payer }: AdmittedBy,
  answer: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  if (!ASKING_METHODS.has(method)) return answer();
  const denial = quota.denial(payer);
  return denial === undefined ? countedAnswer({ quota, payer }, answer) : failureReply(method, denialError(denial));
}

async function countedAnswer({ quota, payer }: AdmittedBy, answer: () => Reply | Promise<Reply>): Promise<Reply> {
  quota.onCallBegun(payer);
  try {
    return await answer();
  } finally {
    quota.onCallEnded(payer);
  }
}
