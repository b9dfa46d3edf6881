import type { EndedCall } from '../../../src/core/providers/call-audit.ts';
import type { ClientFacts, Descriptor, Provider } from '../../../src/core/providers/provider.ts';
import { jsonBytes } from '../../../src/wire/bytes.ts';
import { type CallText, readCallText } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../src/wire/message.ts';
import { type Reply, relayedReply, resultReply } from '../../../src/wire/reply.ts';

export const UPSTREAM = { id: 'up', kind: 'upstream' } as Provider;
export const WORKFLOW = { id: 'files', kind: 'workflow' } as Provider;

/** An upstream's tool with these annotations, as JSON. */
export function toolWith(annotations?: string): Descriptor {
  const more = annotations === undefined ? '' : `,"annotations":${annotations}`;
  return { kind: 'tool', ownName: 't', text: `{"name":"t"${more}}` } as Descriptor;
}

export function textOf(method: string, params: object | string): CallText {
  const json = typeof params === 'string' ? params : JSON.stringify(params);
  const frame = Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${json}}`));
  return readCallText(readMessage(frame) as RequestMessage) as CallText;
}

/** An answer of an upstream, in pieces that end at these places. */
export function answer(member: 'result' | 'error', json: string, cuts: readonly number[] = []): Reply {
  const whole = Buffer.from(`{"jsonrpc":"2.0","id":7,"${member}":${json}}`);
  const ends = [...cuts, whole.length];
  const pieces = ends.map((end, index) => whole.subarray(index === 0 ? 0 : ends[index - 1], end));
  const frame = new Frame(pieces, Frame.of(whole).outline);
  const message = readMessage(frame);
  if (message.kind !== 'response') throw new Error('no response');
  return relayedReply(message) as Reply;
}

interface Calling {
  readonly client?: Partial<ClientFacts> & { readonly name?: unknown };
  readonly method?: string;
  readonly params?: object | string;
}

export function endedCall({
  client: { name, ...client } = {},
  method = 'tools/call',
  params = { name: 'up_t', arguments: { a: 1 } },
  ...more
}: Partial<Omit<EndedCall, 'client'>> & Calling = {}): EndedCall {
  return {
    text: textOf(method, params),
    client: {
      era: 'legacy',
      clientId: 's1',
      capabilities: '{}',
      clientInfo: jsonBytes({ name: name ?? 'agent', version: '1' }),
      logLevel: undefined,
      folderRule: undefined,
      ...client,
    },
    provider: UPSTREAM,
    descriptor: toolWith(),
    at: Date.UTC(2026, 10, 28, 12, 0, 0, 7),
    durationMs: 12.3456,
    ending: resultReply({ content: [] }),
    deliver: () => undefined,
    ...more,
  };
}
