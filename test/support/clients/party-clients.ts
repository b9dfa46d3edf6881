import { openStdio, type Serving } from '../gateway.ts';
import { MODERN_REVISION } from '../http/modern-http-client.ts';
import { atEnd } from '../shared.ts';
import { ALL_CAPABILITIES, answering, connectClient } from './era-clients.ts';
import type { RawClient } from './raw-client.ts';

/** Ways in which a client may come to a gateway that serves several. */
export const PARTY_KINDS = ['legacy stdio', 'modern stdio', 'legacy http', 'modern http'] as const;
export type PartyKind = (typeof PARTY_KINDS)[number];

/** One of several clients of a gateway. It answers each question with its own name in the answer. */
export interface Party {
  readonly name: string;
  readonly kind: PartyKind;
  /** All that the gateway has sent to it, as JSON; without the first `skip` messages. */
  heard(skip?: number): readonly string[];
  /** Calls the tool `play` of an upstream; rejects when the call is cancelled. */
  play(upstream: string, call: string, signal?: AbortSignal): Promise<any>;
  toolNames(): Promise<readonly string[]>;
  leave(): void;
}

/** Over HTTP a client waits this long for an answer: clients of a stage may have to wait for each other. */
const PATIENCE_MS = 3_600_000;

const KEY = 'io.modelcontextprotocol/';

export interface PartyOptions {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Results for questions, by method, instead of those with its name in them; over stdio only. */
  readonly answers?: Readonly<Record<string, object>>;
  /** It answers no question before this is settled. */
  readonly until?: Promise<unknown>;
}

/** Connects a client that wants every log message and can be asked everything, unless `capabilities` say less. */
export async function connectParty(
  kind: PartyKind,
  name: string,
  config: string,
  serving: Serving,
  { capabilities = ALL_CAPABILITIES, until, answers = {} }: PartyOptions = {},
): Promise<Party> {
  if (kind.endsWith('http')) return connectHttp(kind, name, serving.url, until);
  const client = await openStdio(config, serving.env);
  const own = answering({ name, until }, { asked: [] });
  const answer: Answer = (request) => answers[request.method] ?? own(request);
  return kind === 'legacy stdio'
    ? connectLegacyStdio(name, client, capabilities, answer)
    : modernStdio(name, client, capabilities, answer);
}

async function connectHttp(kind: PartyKind, name: string, url: string, until?: Promise<unknown>): Promise<Party> {
  const options = until === undefined ? {} : { until };
  const client = await connectClient(kind === 'modern http' ? 'v2 pinned' : 'v1', name, { url }, options);
  atEnd(() => client.close());
  await client.wantLogs('debug');
  return {
    name,
    kind,
    heard: (skip = 0) => client.heard.slice(skip).map((message) => JSON.stringify(message)),
    play: (upstream, call, signal) =>
      client.call(`${upstream}_play`, { call }, { timeout: PATIENCE_MS, ...(signal && { signal }) }),
    toolNames: async () => (await client.listTools()).tools.map((tool: any) => tool.name),
    leave: () => void client.close(),
  };
}

type Answer = (request: any) => any;

async function connectLegacyStdio(
  name: string,
  client: RawClient,
  capabilities: object,
  answer: Answer,
): Promise<Party> {
  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list'])
    client.answers.set(method, (params) => answer({ method, params }));
  await client.initialize(capabilities, '2025-11-25', name);
  await client.request('logging/setLevel', { level: 'debug' });
  return stdioParty(name, 'legacy stdio', client, (params, signal) => rawRequest(client, 'tools/call', params, signal));
}

function modernStdio(name: string, client: RawClient, capabilities: object, answer: Answer): Party {
  const envelope = {
    [`${KEY}protocolVersion`]: MODERN_REVISION,
    [`${KEY}clientCapabilities`]: capabilities,
    [`${KEY}clientInfo`]: { name, version: '1' },
    [`${KEY}logLevel`]: 'debug',
  };
  const request = async (params: object, signal?: AbortSignal): Promise<any> => {
    let more: object = {};
    for (;;) {
      const result = await rawRequest(client, 'tools/call', { ...params, ...more, _meta: envelope }, signal);
      if (result.resultType !== 'input_required') return result;
      const asked = Object.entries(result.inputRequests ?? {});
      const answered = asked.map(async ([key, question]) => [key, await answer(question)] as const);
      const inputResponses = Object.fromEntries(await Promise.all(answered));
      more = { inputResponses, requestState: result.requestState };
    }
  };
  return stdioParty(name, 'modern stdio', client, request, { _meta: envelope });
}

function stdioParty(
  name: string,
  kind: PartyKind,
  client: RawClient,
  call: (params: object, signal?: AbortSignal) => Promise<any>,
  more: object = {},
): Party {
  return {
    name,
    kind,
    heard: (skip = 0) => client.messages.slice(skip).map(({ text }) => text),
    play: (upstream, which, signal) => call({ name: `${upstream}_play`, arguments: { call: which } }, signal),
    toolNames: async () => {
      const { value } = await client.request('tools/list', more);
      return value.result.tools.map((tool: any) => tool.name);
    },
    leave: () => client.end(),
  };
}

let ids = 1_000;

async function rawRequest(client: RawClient, method: string, params: object, signal?: AbortSignal): Promise<any> {
  const id = ids++;
  signal?.throwIfAborted();
  let cancel: (() => void) | undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel = () => {
      client.notify('notifications/cancelled', { requestId: id });
      reject(new Error('cancelled'));
    };
    signal?.addEventListener('abort', cancel);
  });
  const { value } = await Promise.race([client.request(method, params, String(id)), cancelled]);
  signal?.removeEventListener('abort', cancel!);
  if (value.error !== undefined) throw Object.assign(new Error(value.error.message), value.error);
  return value.result;
}
