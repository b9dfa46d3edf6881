import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { connectStdio, fixture, openServe, temporaryFolder } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { executeIn, KINDS } from '../../support/stores/databases.ts';
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

/** A client with a token, which may work in a folder. */
async function sessionOf(url: string, { headers }: typeof ACME, folder?: string) {
  const all = { ...headers, ...(folder !== undefined && { 'x-viaduct-cwd': folder }) };
  const session = await HttpSession.open(url, {}, '2025-11-25', all);
  const call = async (name: string, args: object = {}): Promise<any> => {
    const { body } = await session.post(session.request('tools/call', { name, arguments: args }));
    const { result, error } = JSON.parse(body);
    return error ?? (result.isError === true ? result : result.structuredContent);
  };
  return { session, call };
}

describe.each(KINDS)('the dashboard on %s', (kind) => {
  const { filled, configOf, envOf, buildsSince, ownSince, auditedCalls } = idePlaces(kind);

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

  test('counts builds and chats of the gateway, for a client of some projects those of its own', async ({ skip }) => {
    const place = await filled(skip);
    const base = realpathSync(temporaryFolder());
    const [acmeFolder, globexFolder] = ['acme-shop', 'globex-shop'].map((name) => path.join(base, name)) as [
      string,
      string,
    ];
    for (const folder of [acmeFolder, globexFolder]) {
      mkdirSync(path.join(folder, '.ide-bridge'), { recursive: true });
      writeFileSync(path.join(folder, '.ide-bridge', 'project-id'), path.basename(folder));
    }
    const node = (script: string) => ({ command: [process.execPath, '-e', script] });
    const builds = { good: node(''), bad: node('process.exit(3)'), slow: node('setInterval(() => {}, 1000)') };
    const config = configOf(place, {
      server: { tokens: [ACME.entry, OWNER.entry] },
      workspace: { clientFolders: [base] },
      workflows: { ide: { builds } },
    });
    const { url } = await openServe(config, envOf(place));
    const acme = await sessionOf(url, ACME, acmeFolder);
    const owner = await sessionOf(url, OWNER, globexFolder);
    const chat = async ({ call }: typeof acme, texts: readonly string[]) => {
      const { id } = (await call('ide_session_create', { name: 'chat' })).session;
      for (const message of texts) expect((await call('ide_chat_send', { sessionId: id, message })).sent).toBe(true);
    };
    await chat(acme, ['one', 'two', 'three']);
    await chat(owner, ['one']);
    await chat(owner, ['one', 'two']);
    const ids = new Map<string, typeof acme>();
    for (const [client, name] of [
      [acme, 'good'],
      [acme, 'bad'],
      [owner, 'good'],
      [owner, 'slow'],
    ] as const)
      ids.set((await client.call('ide_build_start', { name })).build.id, client);
    const statuses = () =>
      Promise.all(
        [...ids].map(async ([buildId, { call }]) => (await call('ide_build_status', { buildId })).build.status),
      );
    await expect.poll(statuses).toEqual(['success', 'failed', 'success', 'running']);
    const stranger = await sessionOf(url, ACME, globexFolder);
    expect(JSON.stringify(await stranger.call('ide_build_start', { name: 'good' }))).toContain('outside_projects');
    const days = 2 * 24 * 3_600_000;
    const inAcme = "(select id from ide_sessions where project_id like 'acme-%')";
    await executeIn(place, [
      `update builds set started_ms = started_ms - ${days}, ended_ms = ended_ms - ${days} where status = 'failed'`,
      `update ide_messages set at_ms = at_ms - ${days} where session_id in ${inAcme} and content = 'one'`,
      `update ide_sessions set updated_ms = updated_ms - ${days} where project_id not like 'acme-%'`,
    ]);
    const isAcme = (name: string | null) => name?.startsWith('acme-') === true;
    const viewers = [
      [acme, isAcme],
      [owner, () => true],
    ] as const;
    const seen: number[] = [];
    for (const [{ call }, mayUse] of viewers) {
      for (const [period, hours] of Object.entries(HOURS)) {
        const { metrics } = await call('ide_dashboard_metrics', { period });
        const own = await ownSince(place, hours, mayUse);
        const expected = withOwn(await buildsSince(place, hours, mayUse), own);
        const { avgBuildTime, ...counts } = metrics;
        expect(counts).toEqual(expected.counts);
        expect(Math.abs(msOf(avgBuildTime) - expected.averageMs)).toBeLessThan(10);
        seen.push(own.builds.length, own.sessions.length, own.messages.length);
      }
      const { overview } = await call('ide_dashboard_overview');
      expect(overview.recentBuilds).toBe((await ownSince(place, 24, mayUse)).builds.length);
    }
    // In the last hour, day and week: builds, sessions, messages.
    expect(seen).toEqual([1, 1, 2, 1, 1, 2, 2, 1, 3, 3, 1, 5, 3, 1, 5, 4, 3, 6]);
  });
});

type Own = Awaited<ReturnType<ReturnType<typeof idePlaces>['ownSince']>>;

/** The figures that follow from the bodies of recorded builds, and from what the gateway has of its own. */
function withOwn(bodies: readonly any[], { builds, sessions, messages }: Own) {
  const recorded = figuresOf(bodies);
  const own = (status: string) => builds.filter((build) => build.status === status);
  const ended = [...own('success'), ...own('failed')];
  const success = recorded.buildsSuccess + own('success').length;
  const failed = recorded.buildsFailed + own('failed').length;
  const counts = {
    buildsTotal: recorded.buildsTotal + builds.length,
    buildsSuccess: success,
    buildsFailed: failed,
    successRate: success / (success + failed),
    agentSessions: sessions.length,
    messagesTotal: messages.length,
  };
  const times = [
    ...ended.map(({ started_ms, ended_ms }) => Number(ended_ms) - Number(started_ms)),
    ...bodies.flatMap(({ duration }) => (duration === undefined ? [] : [duration / 1e6])),
  ];
  return { counts, averageMs: times.reduce((sum, ms) => sum + ms, 0) / times.length };
}

/** Of a text such as "1m2.5s" or "250ms", in milliseconds. */
function msOf(text: string): number {
  const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
  const parts = [...text.matchAll(/([\d.]+)(ms|h|m|s)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0);
}
