import { describe, expect, test } from 'vitest';
import { fixture, freshHome, openStdio, writeConfig } from '../../support/gateway.ts';
import { type Label, setStage, textsOf } from './stage.ts';
import { type Talker, talk } from './talker.ts';

const entry = (label: Label, more: object = {}) => ({
  ...fixture('pointers', `--label=${label}`),
  era: 'legacy',
  ...more,
});

/** One gateway after the other with the same home and config file; the upstreams are as each is told. */
function runs() {
  const env = freshHome();
  return async (upstreams: object): Promise<Talker> => {
    const config = writeConfig({ upstreams, lists: { graceMs: 20_000 } }, env.VIADUCT_HOME);
    return talk('legacy', await openStdio(config, env));
  };
}

const urisOf = async (client: Talker): Promise<string[]> =>
  (await client.request('resources/list')).result.resources.map(({ uri }: any) => uri);
const read = (client: Talker, uri: string) => client.request('resources/read', { uri });

describe('an upstream that listed a uri first', () => {
  test('keeps it in the next run, whatever the order of the config, and while it is away', async () => {
    const run = runs();
    const first = await run({ b: entry('b') });
    expect(await urisOf(first)).toContain('file:///notes.txt');
    first.raw.end();
    const both = await run({ a: entry('a'), b: entry('b') });
    expect(await urisOf(both)).toEqual(expect.arrayContaining(['viaduct://a/file:///notes.txt', 'file:///notes.txt']));
    expect(textsOf(await read(both, 'file:///notes.txt'))[0]).toBe('b has file:///notes.txt');
    both.raw.end();
    const without = await run({ a: entry('a'), b: { command: 'no-such-command' } });
    expect(await urisOf(without)).toContain('viaduct://a/file:///notes.txt');
    const answer = await read(without, 'file:///notes.txt');
    expect(answer.error.message).toMatch(/^b: /);
    without.raw.end();
    const disabled = await run({ a: entry('a'), b: entry('b', { disabled: true }) });
    expect(await urisOf(disabled)).toContain('viaduct://a/file:///notes.txt');
  });

  test('loses it when its entry leaves the config', async () => {
    const run = runs();
    (await run({ b: entry('b') })).raw.end();
    const other = await run({ a: entry('a') });
    expect(await urisOf(other)).toContain('file:///notes.txt');
    other.raw.end();
    const both = await run({ b: entry('b'), a: entry('a') });
    expect(await urisOf(both)).toEqual(expect.arrayContaining(['viaduct://b/file:///notes.txt', 'file:///notes.txt']));
    expect(textsOf(await read(both, 'file:///notes.txt'))[0]).toBe('a has file:///notes.txt');
  });
});

describe.each(['legacy', 'modern'] as const)('an upstream’s own uri, from a text, of a %s client', (clientEra) => {
  test('leads to the owner', async () => {
    const { client } = await setStage({ clientEra, upstreamEra: 'legacy', first: 'b' });
    for (const uri of [
      'memo://one',
      'ui://app/main.html',
      'urn:note:1',
      'note',
      'memo://item/5',
      'skill://refunds/SKILL.md',
    ]) {
      const answer = await read(client, uri);
      expect(textsOf(answer)[0]).toBe(`b has ${uri}`);
      expect(answer.result.contents[0].uri).toBe(uri);
    }
    // A uri that begins with a key of an upstream is public, and never another upstream's.
    expect(textsOf(await read(client, 'ui://a/main.html'))[0]).toBe('a has ui://main.html');
  });

  test('that nobody lists leads to those who know it, and from then on to the one that answered', async () => {
    const { client, seen } = await setStage({ clientEra, upstreamEra: 'legacy' });
    expect((await read(client, 'odd:missing')).error.data).toEqual({ uri: 'odd:missing' });
    expect(
      seen('a')
        .concat(seen('b'))
        .filter((line) => line === 'read odd:missing'),
    ).toHaveLength(2);
    expect(textsOf(await read(client, 'odd:thing'))[0]).toBe('a has odd:thing');
    expect(seen('b')).not.toContain('read odd:thing');
  });

  test('that nobody lists is watched and completed by whoever can', async () => {
    const { client, seen } = await setStage({
      clientEra,
      upstreamEra: 'legacy',
      flags: ['--a-without=completions,subscribe'],
    });
    await client.subscribe('odd:watched');
    await client.call('a_touch', { uri: 'odd:watched' });
    await client.call('b_touch', { uri: 'odd:watched' });
    await expect.poll(() => client.updates()).toEqual(['odd:watched']);
    const params = { ref: { type: 'ref/resource', uri: 'odd:{x}' }, argument: { name: 'x', value: '' } };
    const { result } = await client.request('completion/complete', params);
    expect(result.completion.values).toEqual(['b completes odd:{x}']);
    expect(seen('a').filter((line) => /^got (completion|resources\/subscribe)/.test(line))).toEqual([]);
  });
});
