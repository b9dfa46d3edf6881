import { GatewayError } from '../../../../src/core/errors.ts';
import type { Link } from '../../../../src/upstream/connection/link.ts';
import type { RequestFailure } from '../../../../src/upstream/transports/transport.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { linkTo } from '../links.ts';

/** A request as the server sees it. */
export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly cursor: string | undefined;
}

/** How the server takes a request: a member of the answer, a failure of the transport, or nothing for silence. */
export type Take = (
  asked: Asked,
) => { result: object } | { error: object } | { failure: Partial<RequestFailure> } | undefined;

export const members = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
} as const;

export type ListMethodName = keyof typeof members;

/** A list with an entry for each name. */
export function listOf(method: string, ...names: readonly string[]): { result: Record<string, object[]> } {
  const entries = names.map((name) => ({
    name,
    uri: `x:${name}`,
    uriTemplate: `x:${name}/{y}`,
    inputSchema: { type: 'object' },
  }));
  return { result: { [members[method as ListMethodName]]: entries } };
}

/** One connection to a server that does as it is told, and keeps what it was asked. */
export class ScriptedServer {
  readonly asked: Asked[] = [];
  readonly cancelled: number[] = [];
  /** The methods of its notifications. */
  readonly notified: string[] = [];
  /** The params of its requests, in the order of `asked`. */
  readonly params: unknown[] = [];
  readonly link: Link;
  take: Take;

  constructor(take: Take) {
    this.take = take;
    this.link = linkTo({ send: (bytes) => this.#onMessage(JSON.parse(toBuffer(bytes).toString())) });
  }

  /** How often it was asked for a list, or for anything. */
  count(method?: ListMethodName): number {
    return this.asked.filter((one) => method === undefined || one.method === method).length;
  }

  /** Ids of the requests for a list. */
  idsOf(method: ListMethodName): number[] {
    return this.asked.filter((one) => one.method === method).map(({ id }) => id);
  }

  answer(id: number, answer: { result: object } | { error: object }): void {
    this.#send({ jsonrpc: '2.0', id, ...answer });
  }

  notify(method: string): void {
    this.#send({ jsonrpc: '2.0', method });
  }

  #send(message: object): void {
    this.link.receiver.onFrame(Frame.of(Buffer.from(JSON.stringify(message))));
  }

  #onMessage({ id, method, params }: { id?: number; method: string; params?: any }): void {
    if (id === undefined) {
      this.notified.push(method);
      if (method === 'notifications/cancelled') this.cancelled.push(params.requestId);
      return;
    }
    const asked = { id, method, cursor: params?.cursor };
    this.asked.push(asked);
    this.params.push(params);
    const answer = this.take(asked);
    if (answer === undefined) return;
    queueMicrotask(() => {
      if (!('failure' in answer)) this.answer(id, answer);
      else
        this.link.receiver.onRequestFailed(id, {
          code: 'UPSTREAM_REFUSED',
          reason: 'it failed',
          effect: 'none',
          ...answer.failure,
        });
    });
  }
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const outcome = await promise.then(
    () => new GatewayError('INTERNAL', 'it did not fail'),
    (error: unknown) => error as GatewayError,
  );
  return outcome;
}
