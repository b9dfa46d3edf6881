import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { dial, requestText } from '../../../fixtures/clients/raw-http.ts';
import { tokenOf } from '../../support/auth/tokens.ts';
import { connectStdio, fixture, openServe, upstreams, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';

const MIB = 1024 * 1024;
const big = fixture('hostile', '--mode=ok');

/** Asks for an answer of `mib` MiB on a connection of its own, and reads nothing of it. */
async function leaveUnread(session: HttpSession, mib: number): Promise<Socket> {
  const socket = await dial(session.url);
  onTestFinished(() => void socket.destroy());
  socket.pause();
  const body = session.request('tools/call', { name: 'big_big', arguments: { mib } });
  const headers = { 'Mcp-Session-Id': session.id, ...session.extraHeaders };
  socket.write(requestText(session.url, { headers, body }));
  return socket;
}

test('a client that reads gets each of 4 answers of 20 MiB whole, and keeps its connection', async () => {
  const client = await connectStdio(upstreams({ big }));
  await client.toolNames();
  const results = await Promise.all(Array.from({ length: 4 }, () => client.call('big_big', { mib: 20 })));
  for (const { content } of results) expect(content[0].text.length).toBe(20 * MIB);
  expect(await client.callText('big_echo', { text: 'still here' })).toBe('still here');
});

test('answers that one token leaves unread do not cost another token its own', async () => {
  const [hogToken, readerToken] = [tokenOf('hog'), tokenOf('reader')];
  const { url } = await openServe(
    writeConfig({
      // An upstream that others wait for would hold them up as well.
      upstreams: { big, own: big },
      lists: { graceMs: 20_000 },
      server: { tokens: [hogToken.entry, readerToken.entry] },
    }),
  );
  const hog = await HttpSession.open(url, {}, '2025-11-25', hogToken.headers);
  const reader = await HttpSession.open(url, {}, '2025-11-25', readerToken.headers);
  await hog.toolNames();
  for (let index = 0; index < 10; index++) await leaveUnread(hog, 12);
  for (let index = 0; index < 3; index++) {
    expect((await reader.callText('own_big', { mib: 20 })).length).toBe(20 * MIB);
  }
});
