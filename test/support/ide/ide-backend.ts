import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { atEnd } from '../shared.ts';

/**
 * `answer`: as docs/IDE.md has it. `silent`: never answers. `reverse`: answers two questions at a time, the second one first.
 * `malformed`: sends texts that are no messages before each answer. `huge`: sends too much at once. `wrong`: answers with data of
 * another shape. `error`: refuses each question. `lost`: ends the connection at a question. `close`: accepts connections and
 * closes them at once. `dead`: accepts connections and does not even answer pings. `locked`: refuses connections. `redirect`: sends them to `elsewhere`.
 */
export type IdeBehaviour =
  | 'answer'
  | 'silent'
  | 'reverse'
  | 'malformed'
  | 'huge'
  | 'wrong'
  | 'error'
  | 'lost'
  | 'close'
  | 'dead'
  | 'locked'
  | 'redirect';

export interface IdeBackend {
  readonly url: string;
  /** All messages that came, as they were. */
  readonly received: readonly any[];
  /** Headers of all attempts to connect. */
  readonly attempts: readonly IncomingHttpHeaders[];
  behaviour: IdeBehaviour;
  elsewhere: string;
  /** Sends a value to all connected clients, as JSON text unless it is a text already. */
  push(message: object | string): void;
  /** Number of bytes that were not read yet. */
  unsent(): number;
  /** Ends all connections. */
  drop(): void;
  stop(): Promise<void>;
}

export const SESSION = { id: 's-1', name: 'one', status: 'active', createdAt: '2026-01-02T03:04:05Z' };
export const MESSAGES = [
  { role: 'user', content: 'hello', timestamp: '2026-01-02T03:04:05Z' },
  { role: 'assistant', content: 'hi', timestamp: '2026-01-02T03:04:06Z' },
];
export const BUILD = {
  id: 'b-1',
  repo: 'core',
  branch: 'main',
  status: 'success',
  duration: '1m30s',
  startedAt: '2026-01-02T03:04:05Z',
};
export const METRICS = {
  buildsTotal: 4,
  buildsSuccess: 3,
  buildsFailed: 1,
  avgBuildTime: '2m0s',
  agentSessions: 5,
  messagesTotal: 6,
  successRate: 0.75,
};

/** Returns what a backend answers to each type of question. */
function answerTo({ type, sessionId, data }: any): object {
  const answers: Record<string, () => object> = {
    chat_send: () => ({ type: 'chat_sent', sessionId, data: { timestamp: '2026-01-02T03:04:07Z' } }),
    chat_history: () => ({ type, sessionId, data: { messages: MESSAGES } }),
    session_list: () => ({ type, data: { sessions: [SESSION] } }),
    session_create: () => ({ type: 'session_created', data: { session: { ...SESSION, id: 's-2', name: data.name } } }),
    plan_status: () => ({ type, sessionId, data: { status: 'running', steps: [{ name: 'a', status: 'done' }] } }),
    build_status: () => ({ type, data: { build: { ...BUILD, id: data.buildId } } }),
    build_list: () => ({ type, data: { ...(data.repo !== '' && { repo: data.repo }), builds: [BUILD] } }),
    build_logs: () => ({ type, data: { buildId: data.buildId, lines: ['one', 'two', 'three'] } }),
    dashboard_overview: () => ({
      type,
      data: { overview: { repos: 1, services: 2, activeSessions: 3, recentBuilds: 4 } },
    }),
    dashboard_activity: () => ({
      type,
      data: { events: [{ type: 'build', message: 'built', timestamp: '2026-01-02T03:04:05Z' }] },
    }),
    dashboard_metrics: () => ({ type, data: { period: data.period, metrics: METRICS } }),
  };
  return answers[type]!();
}

/** The answer with data that cannot be used. */
function wrongAnswerTo(question: any): object {
  const { data, ...rest } = answerTo(question) as { data: Record<string, unknown> };
  const kept = Object.entries(data).filter(([key]) => ['buildId', 'period', 'repo'].includes(key));
  const name = question.type === 'session_create' ? { session: { name: question.data.name } } : {};
  const build = question.type === 'build_status' ? { build: { id: question.data.buildId } } : {};
  return { ...rest, data: { ...Object.fromEntries(kept), ...name, ...build, timestamp: 1 } };
}

/** An IDE backend on a port of this machine; ends with the test. */
export async function startIdeBackend(behaviour: IdeBehaviour = 'answer', port = 0): Promise<IdeBackend> {
  const received: any[] = [];
  const attempts: IncomingHttpHeaders[] = [];
  let held: object[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, autoPong: behaviour !== 'dead' });
  const backend: IdeBackend = {
    url: '',
    received,
    attempts,
    behaviour,
    elsewhere: '',
    push(message) {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      for (const socket of sockets.clients) socket.send(text);
    },
    unsent: () => [...sockets.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0),
    drop() {
      for (const socket of sockets.clients) socket.terminate();
    },
    async stop() {
      backend.drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answer = (socket: WebSocket, question: any) => {
    const send = (message: object) => socket.send(JSON.stringify({ ...message, timestamp: new Date().toISOString() }));
    switch (backend.behaviour) {
      case 'silent':
      case 'dead':
        return;
      case 'reverse':
        held.push(answerTo(question));
        if (held.length < 2) return;
        for (const one of held.toReversed()) send(one);
        held = [];
        return;
      case 'malformed':
        for (const text of ['no json', '[]', '{"type":""}', '{"type":1}', '{"type":"x","channel":2}'])
          socket.send(text);
        socket.send(Buffer.from([1, 2, 3]));
        return send(answerTo(question));
      case 'huge':
        return socket.send(JSON.stringify({ type: 'x', data: 'x'.repeat(2 * 1024 * 1024) }));
      case 'wrong':
        return send(wrongAnswerTo(question));
      case 'error':
        return send({
          type: 'error',
          sessionId: question.sessionId,
          data: { ...question.data, request: question.type, message: 'not today' },
        });
      case 'lost':
        return socket.terminate();
      default:
        send(answerTo(question));
    }
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    attempts.push(request.headers);
    if (backend.behaviour === 'locked')
      return void socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
    if (backend.behaviour === 'redirect')
      return void socket.end(`HTTP/1.1 302 Found\r\nlocation: ${backend.elsewhere}\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => undefined);
      if (backend.behaviour === 'close') return opened.close();
      opened.on('message', (data: Buffer) => {
        const question = JSON.parse(data.toString());
        received.push(question);
        answer(opened, question);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  atEnd(() => backend.stop());
  return Object.assign(backend, { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws` });
}
