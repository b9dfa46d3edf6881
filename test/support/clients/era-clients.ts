import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

export const MODERN = '2026-07-28';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Clients as their users make them with the official SDK: version 1, and version 2 in each of its modes. */
export const CLIENT_KINDS = ['v1', 'v2 legacy', 'v2 auto', 'v2 pinned'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export type Where =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | { readonly url: string };

export interface CallOptions {
  readonly onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
  readonly signal?: AbortSignal;
  /** In milliseconds. */
  readonly timeout?: number;
  readonly meta?: Record<string, unknown>;
}

/** The operations of all of them, under common names; results as the SDK returns them. */
export interface EraClient {
  readonly name: string;
  readonly isModern: boolean;
  /** Messages of the server as they came off the wire, before the SDK has done anything with them. */
  readonly heard: readonly any[];
  /** The questions that the server asked this client, in any way. */
  readonly asked: readonly any[];
  /** The lists as the SDK has read them again after they had changed. */
  readonly lists: Readonly<Record<'tools' | 'prompts' | 'resources', readonly any[]>>;
  listTools(): Promise<any>;
  listPrompts(): Promise<any>;
  listResources(): Promise<any>;
  listResourceTemplates(): Promise<any>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<any>;
  getPrompt(name: string, args: Record<string, string>): Promise<any>;
  readResource(uri: string): Promise<any>;
  complete(ref: any, argument: { name: string; value: string }): Promise<any>;
  /** Log messages from this level on are wanted. */
  wantLogs(level: string): Promise<void>;
  /** Gives what ends it. */
  subscribe(uri: string): Promise<() => Promise<unknown>>;
  close(): Promise<void>;
}

interface Notes {
  readonly heard: any[];
  readonly asked: any[];
  readonly lists: Record<'tools' | 'prompts' | 'resources', any[]>;
}

export const ALL_CAPABILITIES = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };

interface Parts {
  readonly name: string;
  readonly where: Where;
  readonly notes: Notes;
  /** None: the client declares that it can be asked nothing. */
  readonly answer: ((request: any) => any) | undefined;
}

/**
 * A client that answers every question with its own name in the answer, unless it is one that cannot be asked. It answers
 * nothing before `until` is settled.
 */
export function connectClient(
  kind: ClientKind,
  name: string,
  where: Where,
  {
    canBeAsked = true,
    roots = [rootOf(name)],
    until,
  }: { readonly canBeAsked?: boolean; readonly roots?: readonly object[]; readonly until?: Promise<unknown> } = {},
): Promise<EraClient> {
  const notes: Notes = { heard: [], asked: [], lists: { tools: [], prompts: [], resources: [] } };
  const parts = { name, where, notes, answer: canBeAsked ? answering({ name, roots, until }, notes) : undefined };
  return kind === 'v1' ? connectV1(parts) : connectV2(kind, parts);
}

function rootOf(name: string): object {
  return { uri: `file:///home/${encodeURIComponent(name)}`, name };
}

interface Answering {
  readonly name: string;
  readonly roots?: readonly object[];
  /** Answers wait for it. */
  readonly until?: Promise<unknown> | undefined;
}

/** Answers a question with its own name in the answer, and notes it; with `until` once that is settled. */
export function answering(
  { name, roots = [rootOf(name)], until }: Answering,
  { asked }: Pick<Notes, 'asked'>,
): (request: any) => any {
  return ({ method, params }) => {
    asked.push({ method, params });
    const answer = method === 'roots/list' ? { roots } : answerOf(name, method, params);
    return until === undefined ? answer : until.then(() => answer);
  };
}

function answerOf(name: string, method: string, params: any): object {
  switch (method) {
    case 'sampling/createMessage': {
      const text = `${name} samples ${params.messages[0].content.text}`;
      return { role: 'assistant', content: { type: 'text', text }, model: 'm' };
    }
    default:
      return params.mode === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: { name: `${name} answers ${params.message}` } };
  }
}

const listChanged = ({ lists }: Notes) => {
  const into = (kind: keyof Notes['lists']) => ({
    debounceMs: 0,
    onChanged: (_error: unknown, items: any[] | null) => {
      lists[kind] = items ?? [];
    },
  });
  return { tools: into('tools'), prompts: into('prompts'), resources: into('resources') };
};

/** Reads along before the SDK gets a message: it chains what is there when it connects. */
function readAlong(transport: { onmessage?: any }, { heard }: Notes): void {
  transport.onmessage = (message: any) => void heard.push(message);
}

async function connectV1({ name, where, notes, answer }: Parts): Promise<EraClient> {
  const capabilities = answer === undefined ? {} : ALL_CAPABILITIES;
  const client = new ClientV1({ name, version: '1.0.0' }, { capabilities, listChanged: listChanged(notes) });
  if (answer !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, async (request) => answer(request));
    client.setRequestHandler(ElicitRequestSchema, async (request) => answer(request));
    client.setRequestHandler(ListRootsRequestSchema, async (request) => answer(request));
  }
  const transport = 'url' in where ? new HttpV1(new URL(where.url)) : new StdioV1({ ...where, stderr: 'ignore' });
  readAlong(transport, notes);
  await client.connect(transport as never);
  return {
    ...shared(name, client, notes),
    isModern: false,
    call: (tool, args, { meta, ...options } = {}) =>
      client.callTool({ name: tool, arguments: args, ...(meta && { _meta: meta }) }, undefined, options as never),
    wantLogs: async (level) => void (await client.setLoggingLevel(level as never)),
    subscribe: async (uri) => {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    close: () => leave(client, transport),
  };
}

const MODES = { 'v2 legacy': 'legacy', 'v2 auto': 'auto', 'v2 pinned': { pin: MODERN } } as const;

async function connectV2(kind: Exclude<ClientKind, 'v1'>, { name, where, notes, answer }: Parts): Promise<EraClient> {
  const capabilities = answer === undefined ? {} : ALL_CAPABILITIES;
  const versionNegotiation = { mode: MODES[kind] };
  const options = { capabilities, listChanged: listChanged(notes), versionNegotiation };
  const client = new ClientV2({ name, version: '1.0.0' }, options);
  if (answer !== undefined) {
    client.setRequestHandler('sampling/createMessage', async (request) => answer(request));
    client.setRequestHandler('elicitation/create', async (request) => answer(request));
    client.setRequestHandler('roots/list', async (request) => answer(request));
  }
  const transport = 'url' in where ? new HttpV2(new URL(where.url)) : new StdioV2({ ...where, stderr: 'ignore' });
  readAlong(transport, notes);
  await client.connect(transport);
  const isModern = client.getProtocolEra() === 'modern';
  let level: string | undefined;
  return {
    ...shared(name, client, notes),
    isModern,
    call: (tool, args = {}, { meta, ...options } = {}) => {
      const withLevel = { ...meta, ...(isModern && level !== undefined && { [LOG_LEVEL]: level }) };
      return client.callTool({ name: tool, arguments: args, _meta: withLevel as never }, options as never);
    },
    wantLogs: async (wanted) => {
      if (isModern) level = wanted;
      else await client.setLoggingLevel(wanted as never);
    },
    subscribe: async (uri) => {
      if (!isModern) {
        await client.subscribeResource({ uri });
        return () => client.unsubscribeResource({ uri });
      }
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      return () => subscription.close();
    },
    close: () => leave(client, transport),
  };
}

/** A session over HTTP lives on until its client ends it. */
async function leave(client: ClientV1 | ClientV2, transport: object): Promise<void> {
  if (transport instanceof HttpV1 || transport instanceof HttpV2)
    await transport.terminateSession().catch(() => undefined);
  await client.close();
}

function shared(name: string, client: ClientV1 | ClientV2, notes: Notes) {
  return {
    name,
    ...notes,
    listTools: () => client.listTools(),
    listPrompts: () => client.listPrompts(),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    getPrompt: (prompt: string, args: Record<string, string>) => client.getPrompt({ name: prompt, arguments: args }),
    readResource: (uri: string) => client.readResource({ uri }),
    complete: (ref: any, argument: { name: string; value: string }) => client.complete({ ref, argument }),
  };
}
