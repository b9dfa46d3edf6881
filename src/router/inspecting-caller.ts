import type { GatewayError } from '../core/errors.ts';
import { ForwardingCaller } from '../core/providers/forwarding-caller.ts';
import type { Caller, ClientAsk, WithdrawAsk } from '../core/providers/provider.ts';
import type { Reply } from '../wire/reply.ts';

/** Looks at an answer. Returns what goes on to the client. */
export type Inspection = (reply: Reply) => Reply;

/** A caller whose answer is inspected first: the inspections are nested, so that the last of them is the first to see it. */
export class InspectingCaller extends ForwardingCaller<Caller> {
  readonly #inspections: readonly Inspection[];

  constructor(caller: Caller, inspections: readonly Inspection[]) {
    super(caller);
    this.#inspections = inspections;
  }

  onReply(reply: Reply): void {
    let inspected = reply;
    for (let index = this.#inspections.length - 1; index >= 0; index--)
      inspected = this.#inspections[index]!(inspected);
    this.target.onReply(inspected);
  }

  onFailure(error: GatewayError): void {
    this.target.onFailure(error);
  }

  ask(ask: ClientAsk): WithdrawAsk {
    return this.target.ask(ask);
  }
}
