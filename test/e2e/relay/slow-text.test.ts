import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { fixture, freshHome, openServe, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { shared } from '../../support/shared.ts';

/** A private key that was cut off, in 117 characters. A pattern once tried 2^45 ways to read its lines. */
const KEY = `-----BEGIN PRIVATE KEY-----${'- '.repeat(45)}`;

const BLIND = tokenOf('blind', { upstreams: [], workflows: [] });
const SAVER = tokenOf('saver', { upstreams: [], workflows: ['checkpoint'] });
const BOB = tokenOf('bob', { workflows: [] });

const sessions = shared(async () => {
  const config = writeConfig({
    server: { tokens: [BLIND.entry, SAVER.entry, BOB.entry] },
    enabledWorkflows: ['checkpoint'],
    upstreams: { t: fixture('talkative') },
    lists: { graceMs: 20_000 },
  });
  const { url } = await openServe(config, freshHome());
  const sessionOf = ({ headers }: typeof BOB) => HttpSession.open(url, {}, '2025-11-25', headers);
  return { blind: await sessionOf(BLIND), saver: await sessionOf(SAVER), bob: await sessionOf(BOB) };
});

/** Sends a request, and a call of another client before the answer is read. Returns the answer when both have come. */
async function besideBob(session: HttpSession, method: string, params: object): Promise<any> {
  const { bob } = await sessions();
  expect(await bob.toolNames()).toContain('t_count');
  const answer = session.post(session.request(method, params));
  expect(await bob.callText('t_count')).toMatch(/\d/);
  return JSON.parse((await answer).body);
}

describe('the gateway answers, and serves others meanwhile, when a cut-off key of 117 characters is in', () => {
  test('the URI of a resource', async () => {
    const { blind } = await sessions();
    const answer = await besideBob(blind, 'resources/read', { uri: KEY });
    expect(answer).toMatchObject({ error: { code: -32002 } });
  });

  test('the name of a tool', async () => {
    const { blind } = await sessions();
    const answer = await besideBob(blind, 'tools/call', { name: KEY, arguments: {} });
    expect(answer).toHaveProperty('error');
  });

  test('a checkpoint', async () => {
    const { saver } = await sessions();
    const args = { source_ide: 'cursor', project_id: 'acme', bundle_patch: { plan_steps: [KEY] } };
    const answer = await besideBob(saver, 'tools/call', { name: 'save_checkpoint', arguments: args });
    expect(answer).toMatchObject({ result: { structuredContent: { saved: true } } });
  });
});
