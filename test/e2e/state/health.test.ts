import { describe, expect, test } from 'vitest';
import { VERSION } from '../../../src/gateway/version.ts';
import { tokenOf } from '../../support/auth/tokens.ts';
import { openServe, writeConfig } from '../../support/gateway.ts';
import { exchange, HttpSession } from '../../support/http/http-client.ts';

const OWNER = tokenOf('owner');
const LIMITED = tokenOf('limited', { projects: ['acme-*'] });

async function healthOf(config: object, headers: Record<string, string> = {}): Promise<any> {
  const { url } = await openServe(writeConfig({ enabledWorkflows: ['checkpoint', 'codebase'], ...config }));
  const { status, body } = await exchange(url.replace('/mcp', '/health'), { method: 'GET', headers });
  return status === 200 ? JSON.parse(body) : status;
}

const DETAILS = {
  ok: true,
  sessions: 0,
  status: 'healthy',
  version: VERSION,
  uptime_seconds: expect.any(Number),
  workflows: { checkpoint: { ok: true }, codebase: { ok: true } },
};

describe('/health', () => {
  test('says on loopback how the gateway and its workflows are', async () => {
    const health = await healthOf({});
    expect(health).toEqual(DETAILS);
    expect(health.uptime_seconds).toBeGreaterThanOrEqual(0);
  });

  test('says to clients with a token as much as they may see', async () => {
    const server = { tokens: [OWNER.entry, LIMITED.entry] };
    expect(await healthOf({ server })).toBe(401);
    expect(await healthOf({ server }, OWNER.headers)).toEqual(DETAILS);
    expect(await healthOf({ server }, LIMITED.headers)).toEqual({ ok: true, sessions: 0 });
  });

  test('says which workflow cannot do its work', async () => {
    const config = { enabledWorkflows: ['checkpoint', 'codebase'], database: 'postgres://nobody@127.0.0.1:1/none' };
    const { url } = await openServe(writeConfig(config));
    const session = await HttpSession.open(url);
    const { body } = await session.post(session.request('tools/call', { name: 'list_projects', arguments: {} }));
    expect(body).toContain('127.0.0.1:1');
    const health = JSON.parse((await exchange(url.replace('/mcp', '/health'), { method: 'GET' })).body);
    expect(health).toMatchObject({
      status: 'degraded',
      workflows: { checkpoint: { ok: false, detail: expect.stringContaining('database') }, codebase: { ok: true } },
    });
    expect(JSON.stringify(health)).not.toContain('127.0.0.1');
  });
});
