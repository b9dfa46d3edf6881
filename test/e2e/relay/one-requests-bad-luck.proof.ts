import { describe, expect, test } from 'vitest';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, upstreams } from '../../support/gateway.ts';
import { HELD_KINDS, type HeldServer, startHeld } from '../../support/held-server.ts';
import { atEnd } from '../../support/shared.ts';

const factsOf = (result: any) => result._meta?.['viaduct/gateway'];

describe.each(HELD_KINDS)('a call that runs over %s', (kind) => {
  /** A call is open at the server; gives what it comes to. */
  async function withOpenCall(): Promise<{ server: HeldServer; client: RawClient; slow: Promise<string> }> {
    const server = await startHeld(kind, atEnd);
    const client = await connectStdio(upstreams({ u: server.entry }));
    await expect.poll(() => client.toolNames()).toContain('u_slow');
    const slow = client.callText('u_slow');
    await expect.poll(() => server.open()).toBe(1);
    return { server, client, slow };
  }

  test('is answered though the server takes no new connection, and the server is found when it is back', async () => {
    const { server, client, slow } = await withOpenCall();
    await server.leave();
    // The first one may still meet a connection that the server is closing.
    await expect.poll(async () => factsOf(await client.call('u_quick')).reason).toBe('not_connected');
    server.release();
    expect(await slow).toBe('slow is done');
    await server.comeBack();
    await expect.poll(() => client.callText('u_quick'), { timeout: 30_000 }).toBe('quick is done');
  });

  test('is answered though another one is answered with 404, and that one is answered too where it is a matter of the session', async () => {
    const { server, client, slow } = await withOpenCall();
    server.refuse(404);
    const quick = await client.call('u_quick');
    // Without sessions, 404 is about the call.
    if (kind === 'http of 2026-07-28') expect(factsOf(quick)).toMatchObject({ reason: 'refused', effect: 'none' });
    else expect(quick.content[0].text).toBe('quick is done');
    server.release();
    expect(await slow).toBe('slow is done');
    expect(server.sessions()).toBe(kind === 'http of 2026-07-28' ? 0 : 2);
  });

  test('is answered though another one is refused for want of a login', async () => {
    const { server, client, slow } = await withOpenCall();
    server.refuse(401);
    expect(factsOf(await client.call('u_quick'))).toMatchObject({ reason: 'refused', effect: 'none' });
    server.release();
    expect(await slow).toBe('slow is done');
  });
});
