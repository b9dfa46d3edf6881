import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/app/version.ts';
import { openServe, writeConfig } from '../support/gateway.ts';
import { exchange } from '../support/http-client.ts';
import { tokenOf } from '../support/tokens.ts';

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
});
