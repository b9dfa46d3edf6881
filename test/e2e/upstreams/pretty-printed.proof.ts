import { describe, expect, test } from 'vitest';
import { connectStdio, fixture, temporaryFolder, upstreams } from '../../support/gateway.ts';

/** The server of each era, by what it is called here, and its first argument. */
const ERAS = { legacy: ['eras', '--label=it'], modern: ['modern'] } as const;

describe.each(Object.keys(ERAS) as (keyof typeof ERAS)[])('a server of the %s era', (era) => {
  const [name, ...args] = ERAS[era];

  test.each([
    ['pretty-prints its messages', ['--pretty']],
    ['puts a byte order mark in front of each message', ['--marks']],
    ['does both', ['--pretty', '--marks']],
    ['writes broken lines between its messages', ['--broken', '--marks']],
  ])('works when it %s', async (_what, flags) => {
    const client = await connectStdio(upstreams({ it: fixture(name, ...args, ...flags) }));
    expect(await client.toolNames()).toContain('it_echo');
    for (let call = 0; call < 3; call++) {
      expect(JSON.stringify(await client.call('it_echo', { text: `call ${call}` }))).toContain(`call ${call}`);
    }
  });
});

test('an answer that is cut off in the middle of its line fails its call, although nothing follows', async () => {
  const log = `${temporaryFolder()}/log`;
  const it = { ...fixture('hostile', '--mode=cut-line', `--log=${log}`), timeouts: { callMs: 50_000 } };
  const client = await connectStdio(upstreams({ it }));
  const { _meta: meta } = await client.call('it_go');
  expect(meta['viaduct/gateway']).toMatchObject({ reason: 'invalid_answer', effect: 'unknown' });
  expect(await client.callText('it_echo', { text: 'next' })).toBe('next');
});
