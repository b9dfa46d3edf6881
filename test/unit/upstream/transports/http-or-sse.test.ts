import { describe, expect, test } from 'vitest';
import { type Answer, beginEvents, eventOf, sendJson, startHttpServer } from '../../../support/http/http-server.ts';
import { type Opened, open } from './opened.ts';

const initialize = (id: number) => ({ id, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
const RESULT = '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2024-11-05"}}';

/** A server of 2024-11-05: it answers each POST to this url by saying so. */
function old(status: number, onStream: Answer = opensStream): Answer {
  return (request, response, raw) => {
    if (request.path === '/in') response.writeHead(202).end();
    else if (request.method === 'GET') onStream(request, response, raw);
    else response.writeHead(status).end();
  };
}

const opensStream: Answer = (_request, response) =>
  beginEvents(response)('event: endpoint\ndata: /in\n\n', eventOf(RESULT));

/** Opens, asks for the era, is refused, and sends `initialize`. */
async function opened(url: string, isTypeGuessed: boolean): Promise<Opened> {
  const connection = await open(url, { type: 'http', isTypeGuessed });
  connection.send({ id: 1, method: 'server/discover' });
  await expect.poll(() => connection.failures.length).toBe(1);
  connection.failures.length = 0;
  connection.send(initialize(2));
  return connection;
}

describe('where no type is written', () => {
  test.each([400, 404, 405])('a server that refuses initialize with %s is spoken to over SSE', async (status) => {
    const server = await startHttpServer(old(status));
    const { send, frames, failures, closed, transport } = await opened(server.url, true);
    await expect.poll(() => frames).toEqual([RESULT]);
    send({ method: 'notifications/initialized' });
    send({ id: 3, method: 'tools/list' });
    await expect
      .poll(() => server.requests.filter(({ path }) => path === '/in').map(({ message }) => message.method))
      .toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    expect([failures, closed]).toEqual([[], []]);
    await transport.close();
    await expect.poll(() => server.requests.find(({ method }) => method === 'GET')!.isAborted).toBe(true);
  });

  test('its stream is the connection from then on', async () => {
    const server = await startHttpServer(
      old(404, (_request, response) => {
        beginEvents(response)('event: endpoint\ndata: /in\n\n', eventOf(RESULT));
        response.end();
      }),
    );
    const { closed } = await opened(server.url, true);
    await expect.poll(() => closed).toEqual(['the stream of events ended']);
  });

  test.each<[string, Answer]>([
    ['no stream there', (_request, response) => response.writeHead(404).end()],
    [
      'a stream that names no endpoint',
      (_request, response) => {
        beginEvents(response)(eventOf('{}'));
        response.end();
      },
    ],
  ])('the first refusal stands where there is %s', async (_name, onStream) => {
    const server = await startHttpServer(old(404, onStream));
    const { failures, closed } = await opened(server.url, true);
    const reason = 'there is nothing at its url (HTTP 404)';
    await expect.poll(() => failures).toEqual([expect.objectContaining({ id: 2, status: 404, reason })]);
    expect(closed).toEqual([]);
  });

  test.each([401, 403, 500])('a server that answers with %s is not tried otherwise', async (status) => {
    const server = await startHttpServer(old(status));
    const { failures } = await opened(server.url, true);
    await expect.poll(() => failures).toEqual([expect.objectContaining({ id: 2, status })]);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test('a refusal of anything else is none of the transport', async () => {
    const server = await startHttpServer((request, response) => {
      if (request.message?.id === 2) sendJson(response, RESULT);
      else response.writeHead(404).end();
    });
    const { send, failures, frames } = await opened(server.url, true);
    await expect.poll(() => frames).toEqual([RESULT]);
    send({ id: 3, method: 'tools/list' });
    await expect.poll(() => failures).toEqual([expect.objectContaining({ id: 3, status: 404 })]);
    expect(server.requests.map(({ method }) => method)).not.toContain('GET');
  });
});

test('where http is written, the reason says what may be meant instead', async () => {
  const server = await startHttpServer(old(405));
  const { failures } = await opened(server.url, false);
  const reason = 'it answered with HTTP 405; if it speaks HTTP with SSE (2024-11-05), write "type: sse"';
  await expect.poll(() => failures).toEqual([expect.objectContaining({ id: 2, status: 405, reason })]);
  expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
});
