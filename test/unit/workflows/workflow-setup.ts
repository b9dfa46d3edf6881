import { onTestFinished } from 'vitest';
import { LiveFeed } from '../../../src/core/providers/live-feed.ts';
import type { ClientFacts, ClientSession } from '../../../src/core/providers/provider.ts';
import type { JsonObject } from '../../../src/core/stores/checkpoint-store.ts';
import { LoginPath } from '../../../src/process/login-path.ts';
import { Reaper } from '../../../src/process/reaper.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { jsonBytes } from '../../../src/wire/bytes.ts';
import { readCallText } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { readMessage } from '../../../src/wire/message.ts';
import { openReply } from '../../../src/wire/reply.ts';
import type { Workflow, WorkflowContext } from '../../../src/workflows/define.ts';
import { WorkflowProvider } from '../../../src/workflows/workflow-provider.ts';
import { UNPROTECTED } from '../../../src/workspace/protection/guard.ts';

export interface TestClient {
  readonly id?: string;
  readonly name?: string;
  readonly folder?: ClientFacts['folder'];
  readonly folderRule?: ClientFacts['folderRule'];
  readonly scope?: ClientFacts['scope'];
  readonly capabilities?: object;
  /** Answers what the client is asked; the result, or nothing for silence. */
  readonly answer?: (method: string, params: any) => object | undefined;
  /** Its answers have a bad escape far behind their beginning, which is found only when they are read. */
  readonly brokenAnswers?: boolean;
}

/** What a workflow gets beside its options. */
type Surroundings = Omit<WorkflowContext<never>, 'options'>;

/** A workflow without a gateway, and clients that call it. It is stopped with the test. */
export function workflowSetup(
  name: string,
  create: (surroundings: Surroundings) => Workflow,
  changes: Partial<Surroundings> = {},
) {
  const updates: { session: string; uri: string }[] = [];
  let offers = 0;
  const log = createLog({ level: 'silent' });
  const unavailable = () => Promise.reject(new Error('there is no gateway'));
  const workflow = create({
    env: {},
    home: '.',
    log,
    mask: (text) => text,
    gateway: {
      report: () => ({}) as never,
      explain: unavailable,
      offers: () => false,
      clients: () => 0,
      seesEverything: () => true,
    },
    reaper: new Reaper(),
    loginPath: new LoginPath({}),
    live: new LiveFeed(),
    workspace: { roots: [], clientFolders: [], unprotected: [], undo: { changes: 1, megabytes: 1, fileMegabytes: 1 } },
    guard: () => UNPROTECTED,
    ownAddresses: () => [],
    addUpstream: () => ({}) as never,
    openDatabase: () => ({}) as never,
    databaseUrl: undefined,
    models: unavailable,
    onOffer: () => void offers++,
    onResourceChanged: (uri) => provider.onResourceChanged(uri),
    ...changes,
  });
  const session = (sessionId: string) =>
    ({
      sessionId,
      onResourceUpdated: (uri: string) => void updates.push({ session: sessionId, uri }),
    }) as unknown as ClientSession;
  const directory = { get: session, sole: () => undefined };
  const provider: WorkflowProvider = new WorkflowProvider({ name, workflow, log, directory });
  onTestFinished(() => workflow.stop());
  const request = (method: string, params: object, client: TestClient = {}) =>
    send(provider, method, params, client).answered;
  const call = async (tool: string, args: object = {}, client: TestClient = {}): Promise<any> => {
    const { result, error } = await request('tools/call', { name: tool, arguments: args }, client);
    return result?.structuredContent ?? error;
  };
  return { workflow, provider, updates, request, call, offers: () => offers };
}

/** Sends one request as a client would, past catalogue and policies. */
export function send(provider: WorkflowProvider, method: string, params: object, client: TestClient) {
  const json = jsonBytes({ jsonrpc: '2.0', id: 1, method, params });
  const message = readMessage(Frame.of(Buffer.from(json, 'latin1')));
  if (message.kind !== 'request') throw new Error('no request');
  const text = readCallText(message);
  if ('problem' in text) throw new Error(text.problem);
  let cancel: (() => void) | undefined;
  const answered = new Promise<any>((resolve) => {
    const running = provider.call({
      text,
      ownName: text.target,
      ownToken: jsonBytes(text.target),
      caller: {
        sessionId: client.id ?? 'client',
        client: {
          era: 'legacy',
          clientId: client.id ?? 'client',
          capabilities: jsonBytes(client.capabilities ?? {}),
          clientInfo: jsonBytes({ name: client.name ?? 'test', version: '1' }),
          logLevel: undefined,
          folder: client.folder,
          folderRule: client.folderRule,
          scope: client.scope,
        },
        ask(ask) {
          const { frame } = ask.message;
          const asked = JSON.parse(frame.text.toString('utf8')) as { method: string; params: JsonObject };
          const result = client.answer?.(asked.method, asked.params);
          if (result !== undefined) ask.onAnswer(replyOf(result, client.brokenAnswers === true));
          return () => undefined;
        },
        onReply(reply) {
          const { frame, body } = openReply(reply);
          resolve({ [reply.outcome]: JSON.parse(frame.text.subarray(body.start, body.end).toString('utf8')) });
        },
        onFailure: (error) => resolve({ error: { code: error.code, message: error.message } }),
        onProgress: () => undefined,
        onNotification: () => undefined,
      },
    });
    cancel = () => running.cancel();
  });
  return { answered, cancel: () => cancel?.() };
}

function replyOf(result: object, isBroken: boolean) {
  const json = isBroken ? `{"x":"${'a'.repeat(10_000)}\\q"}` : jsonBytes(result);
  return {
    outcome: 'result' as const,
    withId: (id: string) => `{"jsonrpc":"2.0","id":${id},"result":${json}}`,
  };
}
