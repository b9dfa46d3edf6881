import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_PROFILE, PROFILE_NOTIFICATION } from '../../../../src/core/access/client-grant.ts';
import { FOLDER_NOTIFICATION } from '../../../../src/core/providers/client-folder.ts';
import { OPEN_ACCESS } from '../../../../src/downstream/http/auth/authenticator.ts';
import { TCP_TIMES, type TcpServerOptions } from '../../../../src/downstream/tcp/tcp-options.ts';
import { TcpServer } from '../../../../src/downstream/tcp/tcp-server.ts';
import { UnreadBudget } from '../../../../src/downstream/unread/unread-budget.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { Masker } from '../../../../src/telemetry/masker.ts';
import { line, modernParams } from '../../../support/clients/tcp-clients.ts';

const log = createLog({ level: 'silent', masker: new Masker() });
const SETTINGS = { maxBodyBytes: 1_000, requestsPerMinute: 0, connectionsPerAddress: 10, auth: OPEN_ACCESS };
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** A session that answers nothing; `received` has the methods of what it got. */
function session(received: string[], openCalls = () => 0) {
  const onMessage = ({ method }: { method?: string }) => void received.push(method ?? '');
  return {
    get openCalls() {
      return openCalls();
    },
    introduction: { allowsBatches: false },
    end: () => undefined,
    onMessage,
  };
}

async function open(options: Partial<TcpServerOptions>, openCalls?: () => number) {
  const received: string[] = [];
  const server = await TcpServer.listen({
    address: { host: '127.0.0.1', port: 0 },
    settings: SETTINGS,
    log,
    unread: new UnreadBudget(log),
    hasProfile: () => false,
    openSession: () => session(received, openCalls) as never,
    openModern: () => {
      throw new Error('no modern client comes');
    },
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, received };
}

async function dial({ url }: TcpServer): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const QUICK = { ...TCP_TIMES, firstMessageMs: 20, messageMs: 20, lookMs: 5 };

test.each([
  ['says nothing', ''],
  ['says a part of its first message', PING.slice(0, 10)],
  ['sends white space only', '  '],
])('a client that %s in time is closed', async (_what, text) => {
  const { server, received } = await open({ times: QUICK });
  const socket = await dial(server);
  socket.write(text);
  await once(socket, 'close');
  expect(received).toEqual([]);
});

test('a client may be silent after its first message, but not in the middle of another one', async () => {
  const { server, received } = await open({ times: { ...QUICK, firstMessageMs: 10_000 } });
  const socket = await dial(server);
  socket.write(PING);
  await expect.poll(() => received).toEqual(['ping']);
  const drip = setInterval(() => socket.write('{'), 2);
  onTestFinished(() => clearInterval(drip));
  socket.resume();
  await once(socket, 'close');
  expect(received).toEqual(['ping']);
});

test('a server that closes ends all connections, those that have said nothing too', async () => {
  const { server } = await open({});
  const [silent, known] = [await dial(server), await dial(server)];
  known.write(PING);
  const closed = [silent, known].map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)));
  await server.close();
  await Promise.all(closed);
});

test('a message in many pieces is one message, and two in one piece are two', async () => {
  const { server, received } = await open({});
  const socket = await dial(server);
  socket.setNoDelay();
  for (const byte of PING) {
    socket.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.write(PING.replace('ping', 'a') + PING.replace('ping', 'b'));
  await expect.poll(() => received).toEqual(['ping', 'a', 'b']);
});

/** Everything that comes until the server hangs up. */
async function toEnd(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => pieces.push(chunk));
  await once(socket, 'end');
  return Buffer.concat(pieces).toString();
}

const MIB = 1024 * 1024;
const half = () => Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"big","params":{"x":"${'x'.repeat(40 * MIB)}`);

test.each([
  ['first messages', ''],
  ['later messages', PING],
])('%s that are received have 64 MiB together: whoever brings more is told, and closed', async (_what, before) => {
  const { server, received } = await open({ settings: { ...SETTINGS, maxBodyBytes: 60 * MIB } });
  const [one, two] = [await dial(server), await dial(server)];
  one.write(before);
  one.write(half());
  // All of it is there: there is no room for another one.
  await expect.poll(() => one.writableLength).toBe(0);
  two.write(before);
  two.write(half());
  const answer = await toEnd(two);
  if (before === '') expect(JSON.parse(answer).error.message).toContain('Too much is being received');
  one.write('"}}\n');
  await expect.poll(() => received).toContain('big');
  const three = await dial(server);
  three.write(Buffer.concat([half(), Buffer.from('"}}\n')]));
  await expect.poll(() => received.filter((method) => method === 'big')).toHaveLength(2);
});

/** Lets in everybody until a time, in milliseconds since 1970. */
function authUntil(expiresAt: () => number) {
  return {
    isCurrent: () => true,
    authenticate: () => ({ principal: { id: 'p', name: 'p' }, expiresAt: expiresAt() }),
  } as unknown as TcpServerOptions['settings']['auth'];
}

test('a connection ends with its token, once the calls that run are answered', async () => {
  let calls = 1;
  const settings = { ...SETTINGS, auth: authUntil(() => Date.now() + 200) };
  const { server, received } = await open({ settings, times: { ...TCP_TIMES, lookMs: 5 } }, () => calls);
  const socket = await dial(server);
  socket.write(PING);
  await expect.poll(() => received).toEqual(['ping']);
  const answers: string[] = [];
  socket.on('data', (chunk: Buffer) => answers.push(chunk.toString()));
  await expect
    .poll(() => {
      socket.write(PING.replace('ping', 'more'));
      return answers.join('');
    })
    .toContain('the bearer token has expired');
  expect(socket.readableEnded).toBe(false);
  calls = 0;
  await once(socket, 'end');
});

test.each(['legacy', 'modern'])('nothing is taken of what only programs of this user may say: %s', async (era) => {
  const arrivals: object[] = [];
  const { server } = await open({
    hasProfile: () => true,
    openSession(arrival) {
      arrivals.push(arrival);
      return session([]) as never;
    },
    openModern(arrival) {
      arrivals.push(arrival);
      return { openCalls: 0, end: () => undefined, onRequest: () => ({ cancel: () => undefined }) } as never;
    },
  });
  const socket = await dial(server);
  const tell = (method: string, params: object) =>
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  tell(PROFILE_NOTIFICATION, { profile: 'other' });
  tell(FOLDER_NOTIFICATION, { folder: '/etc', depth: '1' });
  socket.write(era === 'legacy' ? PING : line('ping', modernParams()));
  await expect.poll(() => arrivals).toHaveLength(1);
  const { folder, depth, profile, transport } = arrivals[0] as Record<string, unknown>;
  expect({ folder, depth, profile, transport }).toEqual({
    folder: undefined,
    depth: undefined,
    profile: DEFAULT_PROFILE,
    transport: 'tcp',
  });
});
