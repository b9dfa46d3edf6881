import { describe, expect, onTestFinished, test } from 'vitest';
import { CLIENT_KINDS, connectClient } from '../../support/clients/era-clients.ts';
import type { AtEnd } from '../../support/shared.ts';
import { configFor, serveFor, THROUGH_GATEWAY, type UpstreamEra } from './column.ts';
import { ownEra, type Site, tryAll } from './matrix.ts';

describe.each(['legacy', '2026-07-28'] as const)('over HTTP, upstream: %s', (upstreamEra: UpstreamEra) => {
  // Each kind has a gateway of its own: a call that one of them has cancelled, and that is not answered, may still log, and
  // what others log after that finds nobody where they share a process.
  tryAll({ upstreamEra, eraFor: ownEra, site: (_kind, atEnd) => open(atEnd) });

  async function open(atEnd: AtEnd): Promise<Site> {
    const { config, log, home } = configFor(upstreamEra, process.env.TOLD !== '0');
    const url = await serveFor(config, home, atEnd);
    return { upstreamEra, log, where: { url }, ...THROUGH_GATEWAY };
  }

  test.each(CLIENT_KINDS)('a client that cannot be asked gets an error that says so: %s', async (kind) => {
    const { where } = await open(onTestFinished);
    const client = await connectClient(kind, 'mute', where, { canBeAsked: false });
    onTestFinished(() => client.close());
    const call = client.call('e_elicit', { text: 'x' });
    if (client.isModern) {
      await expect(call).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
    } else {
      // The legacy server is told and answers in its own words, which repeat it; for the modern one the gateway answers.
      expect((await call).content[0].text).toMatch(/supports? elicitation/);
    }
    expect((await client.call('e_echo', { text: 'on' })).content[0].text).toBe('eras: on');
  });
});
