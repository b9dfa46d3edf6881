import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fixture, freshHome, openServe, statusOf, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';

const config = (entry: object) =>
  JSON.stringify({
    schemaVersion: 1,
    log: { level: 'silent' },
    lists: { graceMs: 20_000 },
    upstreams: { f: { ...fixture('hostile'), ...entry } },
  });

/** A gateway with one upstream, whose entry can be edited. */
async function begin(share: string) {
  const file = writeConfig({});
  const base = { share };
  writeFileSync(file, config(base));
  const env = freshHome();
  const { url } = await openServe(file, env);
  const http = await HttpSession.open(url);
  await http.callText('f_echo', { text: 'x' });
  const upstream = async () => (await statusOf(file, env)).upstreams[0];
  const { pid } = await upstream();
  return { http, upstream, pid, edit: (entry: object) => writeFileSync(file, config({ ...base, ...entry })) };
}

describe.each(['auto', 'gateway'])('a change of rules, with share: %s', (share) => {
  test('holds at once, and restarts nothing', async () => {
    const { http, upstream, pid, edit } = await begin(share);
    expect(await http.toolNames()).toContain('f_echo');

    edit({ tools: { deny: ['echo'] } });
    await expect.poll(() => http.toolNames()).not.toContain('f_echo');
    expect(await http.toolNames()).not.toEqual([]);

    edit({ tools: { allow: ['echo'] } });
    await expect.poll(() => http.toolNames()).toEqual(['f_echo']);
    expect(await http.callText('f_echo', { text: 'y' })).toBe('y');

    edit({ prefix: 'other', validation: 'enforce' });
    await expect.poll(() => http.toolNames()).toContain('other_echo');
    expect(await http.callText('other_echo', { text: 'other' })).toBe('other');

    edit({ timeouts: { callMs: 100 }, pins: 'enforce', maxConcurrency: 1, inferHints: true, instructions: true });
    await expect.poll(() => http.toolNames()).toContain('f_echo');
    expect(await http.callText('f_echo', { text: 'z' })).toBe('z');
    expect(await http.callText('f_hang')).toContain('0.1 s');

    expect(await upstream()).toMatchObject({ state: 'ready', pid, starts: 1 });
  });

  test('begins another process where the command changes', async () => {
    const { http, upstream, pid, edit } = await begin(share);
    edit({ env: { ANOTHER: '1' } });
    await expect.poll(async () => (await upstream()).pid).not.toBe(pid);
    await expect.poll(() => http.callText('f_echo', { text: 'x' })).toBe('x');
  });
});
