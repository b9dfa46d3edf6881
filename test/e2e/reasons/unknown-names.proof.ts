import { describe, expect, test } from 'vitest';
import { connectStdio, fixture, openServe, upstreams } from '../../support/gateway.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';

const CONFIG = { f: fixture('hostile'), c: fixture('conformance') };

describe('a tool that nobody has', () => {
  test('is answered with the names that are near, to a client of 2025-11-25', async () => {
    const client = await connectStdio(upstreams(CONFIG));
    await client.toolNames();
    expect((await client.call('echoo')).error.message).toMatch(/^Unknown tool: echoo\. Did you mean "f_echo"/);
  });

  test('and to one of 2026-07-28', async () => {
    const { url } = await openServe(upstreams(CONFIG));
    const client = new ModernHttpClient(url);
    await client.post('tools/list');
    const { json } = await client.post('tools/call', { name: 'echoo', arguments: {} });
    expect(json.error.message).toMatch(/Did you mean "f_echo"/);
  });

  test('though its server was asked for it and refused it', async () => {
    const client = await connectStdio(upstreams({ ...CONFIG, t: fixture('talkative') }));
    const names = await client.toolNames();
    expect(names).toContain('t_echo');
    expect((await client.call('t_ecko')).error.message).toBe('Unknown tool: ecko. Did you mean "t_echo"?');
  });
});

test('a prompt that nobody has', async () => {
  const client = await connectStdio(upstreams(CONFIG));
  const prompts = (await client.request('prompts/list')).value.result.prompts.map(({ name }: any) => name);
  const wrong = `x${prompts[0]}`;
  const { error } = (await client.request('prompts/get', { name: wrong })).value;
  expect(error.message).toContain(`Did you mean "${prompts[0]}"`);
});

test('servers in trouble are named where a tool may be theirs', async () => {
  const client = await connectStdio(upstreams({ gone: { command: 'no-such-command-anywhere', prefix: 'g' } }));
  await client.toolNames();
  const { message } = (await client.call('write_page')).error;
  expect(message).toContain('servers are in trouble: gone (failed: command "no-such-command-anywhere" not found');
});
