import assert from 'node:assert/strict';
import { tokenOf } from '../../../test/support/auth/tokens.ts';
import { HttpSession } from '../../../test/support/http/http-client.ts';
import { besideGood } from '../beside.ts';
import { assertThat, inTime } from '../expect.ts';
import type { Fault } from '../fault.ts';
import type { Scene } from '../scene.ts';

const SAVER = tokenOf('saver', { upstreams: [], workflows: ['checkpoint'] });
const FULL = tokenOf('full');

/** Texts on which patterns of the gateway once took exponential or quadratic time. */
const TEXTS: Readonly<Record<string, string>> = {
  'a cut-off private key': `-----BEGIN PRIVATE KEY-----${'- '.repeat(45)}`,
  'a long row of spaces': `API_TOKEN=x${' '.repeat(60_000)}y`,
  'many beginnings of a JWT': 'eyJabcdefgh-'.repeat(5_000),
  'many beginnings of a private key': '-----BEGIN PRIVATE KEY-----\n'.repeat(2_000),
  'a long name with many dashes': 'a-'.repeat(30_000),
  'many quotation marks': `x="${'\\"'.repeat(30_000)}`,
};

/** Ways on which a client's text reaches the patterns: by the audit, by errors, and by what is stored. */
const WAYS = {
  uri: { what: 'the URI of a resource', method: 'resources/read', params: (text: string) => ({ uri: text }) },
  name: { what: 'the name of a tool', method: 'tools/call', params: (text: string) => ({ name: text, arguments: {} }) },
  checkpoint: {
    what: 'a checkpoint',
    method: 'tools/call',
    params: (text: string, number: number) => ({
      name: 'save_checkpoint',
      arguments: { source_ide: 'cursor', project_id: `acme-${number}`, bundle_patch: { plan_steps: [text] } },
    }),
  },
} as const;

async function send(scene: Scene, way: keyof typeof WAYS): Promise<void> {
  const config = scene.config({
    server: { tokens: [SAVER.entry, FULL.entry] },
    enabledWorkflows: ['checkpoint'],
    upstreams: { good: scene.fixture('hostile', []) },
    lists: { graceMs: 20_000 },
  });
  const { url } = await scene.serve(config);
  const sessionOf = ({ headers }: typeof FULL) => HttpSession.open(url, {}, '2025-11-25', headers);
  const [session, good] = [await sessionOf(SAVER), await sessionOf(FULL)];
  assertThat('the upstream is listed', (await good.toolNames()).includes('good_echo'));
  const { method, params } = WAYS[way];
  await besideGood(good, async () => {
    for (const [number, [what, text]] of Object.entries(TEXTS).entries()) {
      const body = session.request(method, params(text, number));
      const answer = JSON.parse((await inTime(`an answer to ${what}`, 1_000, session.post(body))).body);
      if (way === 'checkpoint') assert.equal(answer.result?.structuredContent?.saved, true, what);
      else assertThat(`an error about ${what}`, answer.error !== undefined);
    }
  });
}

const slowText = (way: keyof typeof WAYS): Fault => ({
  id: `B-slow-${way}`,
  what: `A client with the most limited token sends texts that are hard to match as ${WAYS[way].what}`,
  holds: 'Each is answered within a second, and others are served meanwhile',
  run: (scene) => send(scene, way),
});

/** Texts of a client for which a pattern could take long. */
export const SLOW_TEXT_FAULTS: readonly Fault[] = (['uri', 'name', 'checkpoint'] as const).map(slowText);
