import { describe, expect, test } from 'vitest';
import { KINDS } from '../../support/databases.ts';
import { connectStdio, fixture, openServe } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http-client.ts';
import { tokenOf } from '../../support/tokens.ts';
import { idePlaces, RECORDED } from './setup.ts';

const ACME = tokenOf('acme', { projects: ['acme-*'] });
const OWNER = tokenOf('owner');
const HOURS = { '1h': 1, '24h': 24, '7d': 168 };

/** The figures that follow from the bodies of recorded builds. */
function figuresOf(bodies: readonly any[]) {
  const with_ = (status: string) => bodies.filter(({ data }) => data.status.toLowerCase() === status).length;
  const [success, failed] = [with_('success'), with_('failed')];
  return {
    buildsTotal: bodies.length,
    buildsSuccess: success,
    buildsFailed: failed,
    successRate: success + failed === 0 ? 0 : success / (success + failed),
    agentSessions: 0,
    messagesTotal: 0,
  };
}

async function sessionOf(url: string, { headers }: typeof ACME) {
  const session = await HttpSession.open(url, {}, '2025-11-25', headers);
  const call = async (name: string, args: object = {}): Promise<any> => {
    const { body } = await session.post(session.request('tools/call', { name, arguments: args }));
    const { result, error } = JSON.parse(body);
    return error ?? (result.isError === true ? result : result.structuredContent);
  };
  return { session, call };
}

describe.each(KINDS)('the dashboard on %s', (kind) => {
  const { filled, configOf, envOf, buildsSince, auditedCalls } = idePlaces(kind);

  test('counts what the database has', async ({ skip }) => {
    const place = await filled(skip);
    const upstreams = { t: fixture('talkative'), s: fixture('shapes') };
    const client = await connectStdio(configOf(place, { upstreams }), { env: envOf(place) });
    const call = async (name: string, args: object = {}) => (await client.call(name, args)).structuredContent as any;
    expect((await call('ide_dashboard_overview')).overview).toEqual({
      repos: 3,
      services: 2,
      activeSessions: 1,
      recentBuilds: 0,
      bridgeOnline: false,
    });
    for (const [period, hours] of Object.entries(HOURS)) {
      const found = await call('ide_dashboard_metrics', { period });
      const expected = figuresOf(await buildsSince(place, hours, () => true));
      expect(found).toMatchObject({ period, metrics: expected });
      expect(Object.keys(found.sources).sort()).toEqual(Object.keys(found.metrics).sort());
    }
    const day = await call('ide_dashboard_metrics');
    expect(day).toMatchObject({ period: '24h', metrics: { buildsTotal: 5, avgBuildTime: '45s' } });
    // The audit gets a call soon after its answer.
    await expect.poll(() => auditedCalls(place)).toBeGreaterThanOrEqual(5);
    const { events } = await call('ide_dashboard_activity', { limit: 100 });
    const recorded = events.filter(({ type }: any) => type !== 'call');
    expect(recorded).toHaveLength(RECORDED.filter(([, , hours]) => hours < 168).length);
    expect(recorded[0]).toMatchObject({ type: 'build', message: 'build in acme-web: success' });
    expect(events.filter(({ type }: any) => type === 'call').length).toBeGreaterThanOrEqual(5);
    expect(events[0].message).toMatch(/^ide_dashboard_\w+ by \S+: ok, \d+ ms$/);
    const times = events.map(({ timestamp }: any) => timestamp);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await call('ide_dashboard_activity', { limit: 3 })).events).toHaveLength(3);
  });

  test('shows a client with a token nothing of others', async ({ skip }) => {
    const place = await filled(skip);
    const config = configOf(place, { server: { tokens: [ACME.entry, OWNER.entry] } });
    const { url } = await openServe(config, envOf(place));
    const [acme, owner, other] = [await sessionOf(url, ACME), await sessionOf(url, OWNER), await sessionOf(url, OWNER)];
    await owner.call('viaduct_status');
    await owner.call('ide_dashboard_metrics');
    await expect.poll(() => auditedCalls(place)).toBe(2);
    const own = await acme.call('ide_dashboard_overview');
    expect(own.overview).toMatchObject({ repos: 2, services: 0, activeSessions: 1 });
    expect((await other.call('ide_dashboard_overview')).overview).toMatchObject({ repos: 3, activeSessions: 2 });
    const isAcme = (repo: string | null) => repo?.startsWith('acme-') === true;
    for (const [period, hours] of Object.entries(HOURS)) {
      const { metrics } = await acme.call('ide_dashboard_metrics', { period });
      expect(metrics).toMatchObject(figuresOf(await buildsSince(place, hours, isAcme)));
    }
    await expect.poll(() => auditedCalls(place)).toBe(7);
    const { events } = await acme.call('ide_dashboard_activity', { limit: 200 });
    const calls = events.filter(({ type }: any) => type === 'call');
    expect(calls).toHaveLength(4);
    expect(JSON.stringify(events)).not.toMatch(/globex|viaduct_status/);
    const ofOwner = (await owner.call('ide_dashboard_activity', { limit: 200 })).events;
    expect(ofOwner.filter(({ type }: any) => type === 'call')).toHaveLength(2);
    expect(JSON.stringify(ofOwner)).toContain('globex');
  });
});
