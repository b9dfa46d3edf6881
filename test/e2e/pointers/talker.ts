import { META, MODERN_VERSION } from '../../../fixtures/protocol.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';

export type ClientEra = 'legacy' | 'modern';

/** A client of either era that shows what it gets, and answers what it is asked. */
export interface Talker {
  readonly raw: RawClient;
  /** What it was told when it connected. */
  readonly capabilities: any;
  /** The answer: an object with `result` or `error`. */
  readonly request: (method: string, params?: object) => Promise<any>;
  readonly call: (tool: string, args?: object) => Promise<any>;
  /** Gives what ends it. */
  readonly subscribe: (uri: string) => Promise<() => Promise<void>>;
  /** The uris of which it was told that they have changed. */
  readonly updates: () => string[];
  /** Params of what it was asked. */
  readonly asked: any[];
}

const CAPABILITIES = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: {},
  extensions: {
    'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
    'com.example/client': { level: 2 },
  },
  experimental: { 'client-experiment': { deep: [1] } },
};

const ANSWERS: Readonly<Record<string, object>> = {
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' },
  'elicitation/create': { action: 'accept', content: {} },
  'roots/list': { roots: [] },
};

export function talk(era: ClientEra, raw: RawClient, capabilities: object = CAPABILITIES): Promise<Talker> {
  return era === 'legacy' ? talkLegacy(raw, capabilities) : talkModern(raw, capabilities);
}

async function talkLegacy(raw: RawClient, capabilities: object): Promise<Talker> {
  const asked: any[] = [];
  for (const [method, answer] of Object.entries(ANSWERS))
    raw.answers.set(method, (params) => {
      asked.push(params);
      return answer;
    });
  const told = await raw.initialize(capabilities);
  const request = async (method: string, params: object = {}) => (await raw.request(method, params)).value;
  const change = async (method: string, uri: string) => {
    const { error } = await request(method, { uri });
    if (error !== undefined) throw new Error(error.message);
  };
  const subscribe = async (uri: string) => {
    await change('resources/subscribe', uri);
    return () => change('resources/unsubscribe', uri);
  };
  return talker({ raw, capabilities: told.capabilities, asked, request, subscribe });
}

async function talkModern(raw: RawClient, capabilities: object): Promise<Talker> {
  const asked: any[] = [];
  const _meta = { [META.version]: MODERN_VERSION, [META.capabilities]: capabilities };
  const request = async (method: string, params: object = {}): Promise<any> => {
    const { value } = await raw.request(method, { ...params, _meta });
    if (value.result?.resultType !== 'input_required') return value;
    const { inputRequests, requestState } = value.result;
    const questions = Object.entries<any>(inputRequests);
    asked.push(...questions.map(([, { params: given }]) => given));
    const inputResponses = Object.fromEntries(questions.map(([key, { method: of }]) => [key, ANSWERS[of]]));
    return request(method, { ...params, inputResponses, requestState });
  };
  const subscribe = async (uri: string) => {
    const from = raw.messages.length;
    const id = `listen-${from}`;
    void raw
      .request('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] }, _meta }, `"${id}"`)
      .catch(() => undefined);
    const { value } = await raw.waitFor(
      ({ value: { method } }) => method === 'notifications/subscriptions/acknowledged',
      from,
    );
    if (value.params.notifications.resourceSubscriptions?.[0] !== uri) throw new Error('not honoured');
    return async () => raw.notify('notifications/cancelled', { requestId: id });
  };
  const { result } = await request('server/discover');
  return talker({ raw, capabilities: result.capabilities, asked, request, subscribe });
}

function talker(parts: Omit<Talker, 'call' | 'updates'>): Talker {
  return {
    ...parts,
    call: (name, args = {}) => parts.request('tools/call', { name, arguments: args }),
    updates: () => parts.raw.notifications('notifications/resources/updated').map(({ value }) => value.params.uri),
  };
}
