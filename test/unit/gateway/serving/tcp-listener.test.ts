import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { OPEN_ACCESS } from '../../../../src/downstream/http/auth/authenticator.ts';
import { UnreadBudget } from '../../../../src/downstream/unread/unread-budget.ts';
import type { TcpPlace } from '../../../../src/gateway/serving/tcp-address.ts';
import { TcpListener } from '../../../../src/gateway/serving/tcp-listener.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { freePort } from '../../../support/free-port.ts';

const log = createLog({ level: 'silent' });
const SETTINGS = { maxBodyBytes: 1_000, requestsPerMinute: 0, connectionsPerAddress: 10, auth: OPEN_ACCESS };
const at = (host: string, port: number): TcpPlace => ({ address: { host, port }, source: 'server.tcp' });
/** Of documentation: no machine has it. */
const NOWHERE = '192.0.2.1';

function listenerWith(onMoved: (url: string | undefined) => void = () => undefined): TcpListener {
  const nobody = () => {
    throw new Error('nobody says anything');
  };
  const options = { log, unread: new UnreadBudget(log), hasProfile: () => true, onMoved };
  const listener = new TcpListener({ ...options, openSession: nobody, openModern: nobody }, undefined);
  onTestFinished(() => listener.close());
  return listener;
}

const portOf = ({ url }: TcpListener): number => Number(new URL(url!).port);

async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('it moves to another address of the same port, though both cannot be had at one time', async () => {
  const told: unknown[] = [];
  const listener = listenerWith((url) => told.push(url));
  const port = await freePort();
  await listener.move(at('127.0.0.1', port), SETTINGS);
  const mapped = '::ffff:127.0.0.1';
  await listener.move(at(mapped, port), SETTINGS);
  expect(listener.url).toBe(`tcp://[${mapped}]:${port}`);
  expect(told.at(-1)).toBe(listener.url);
  expect(await answers('127.0.0.1', port)).toBe(true);
});

test('it stays at its port if another address of it cannot be had', async () => {
  const here = listenerWith();
  const port = await freePort();
  await here.move(at('127.0.0.1', port), SETTINGS);
  await expect(here.move(at(NOWHERE, port), SETTINGS)).rejects.toThrow('this machine has no such address');
  expect(here.url).toBe(`tcp://127.0.0.1:${port}`);
  expect(await answers('127.0.0.1', port)).toBe(true);
  await here.move(at('127.0.0.1', 0), SETTINGS);
  expect(portOf(here)).not.toBe(port);
  expect(await answers('127.0.0.1', port)).toBe(false);
});

test('it stays where it is if nobody can be told of the new place, and does not listen there', async () => {
  const urls: string[] = [];
  const listener = listenerWith((url) => {
    urls.push(url!);
    if (urls.length > 1) throw new Error('no space left');
  });
  await listener.move(at('127.0.0.1', 0), SETTINGS);
  await expect(listener.move(at('::1', 0), SETTINGS)).rejects.toThrow('no space left');
  expect(listener.url).toBe(urls[0]);
  expect(await answers('127.0.0.1', portOf(listener))).toBe(true);
  expect(await answers('::1', Number(new URL(urls[1]!).port))).toBe(false);
});
