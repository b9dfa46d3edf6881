import { expect } from 'vitest';
import type { Column } from './column.ts';
import type { Row } from './plain-rows.ts';

const textOf = (result: any): string => result.content[0].text;
const STEPS = 5;
const ALL_STEPS = [1, 2, 3, 4, 5];

const ticksOf = ({ client }: Column, nonce: string): any[] =>
  client.heard.filter(({ method, params }) => method === 'notifications/progress' && params.message === nonce);

const logged = ({ client }: Column): unknown[] =>
  client.heard.flatMap(({ method, params }) => (method === 'notifications/message' ? [params.data] : []));

/** What happens while a call is under way. */
export const CALL_ROWS: readonly Row[] = [
  [
    'progress: every tick reaches the caller while the call is still open',
    async (column) => {
      const { client, named } = column;
      const nonce = column.nonce();
      const seen: any[] = [];
      const call = client.call(named('progress'), { steps: STEPS, nonce }, { onprogress: (tick) => seen.push(tick) });
      await expect.poll(() => seen.length).toBe(STEPS);
      column.release(nonce);
      expect(textOf(await call)).toBe(`progressed ${nonce}`);
      expect(seen.map(({ progress, total, message }) => [progress, total, message])).toEqual(
        ALL_STEPS.map((step) => [step, STEPS, nonce]),
      );
    },
  ],
  [
    'progress: the last tick is in front of the answer, even when both were sent at once',
    async (column) => {
      const { client, named } = column;
      const nonce = column.nonce();
      // The SDK itself loses ticks that come in one piece with the answer, so the wire is looked at.
      await client.call(named('burst'), { steps: STEPS, nonce }, { onprogress: () => undefined });
      const ticks = ticksOf(column, nonce);
      expect(ticks.map(({ params }) => params.progress)).toEqual(ALL_STEPS);
      const isAnswer = ({ result }: any) => result?.content?.[0]?.text === `burst ${nonce}`;
      const answer = client.heard.findIndex(isAnswer);
      expect(client.heard.indexOf(ticks.at(-1))).toBeLessThan(answer);
    },
  ],
  [
    'logging: messages from the wanted level on, none below',
    async (column) => {
      const { client, named, nonce } = column;
      const [quiet, loud, tooQuiet, loudEnough] = [nonce(), nonce(), nonce(), nonce()];
      const log = (level: string, data: string) => client.call(named('log'), { level, data });
      // A modern client that names no level wants no messages; a legacy one gets what its server sees fit.
      if (client.isModern) await log('error', quiet);
      await client.wantLogs('debug');
      await log('debug', loud);
      await client.wantLogs('error');
      await log('warning', tooQuiet);
      await log('critical', loudEnough);
      await expect.poll(() => logged(column)).toContain(loudEnough);
      expect(logged(column)).toContain(loud);
      expect(logged(column)).not.toContain(tooQuiet);
      expect(logged(column)).not.toContain(quiet);
    },
  ],
  [
    'cancel: reaches the upstream, which ends the call, and others go on',
    async ({ client, named, nonce: next, seen, release }) => {
      const [nonce, other] = [next(), next()];
      const stop = new AbortController();
      const call = client.call(named('wait'), { nonce }, { signal: stop.signal });
      await expect.poll(seen).toContain(`waiting ${nonce}`);
      const goesOn = client.call(named('wait'), { nonce: other });
      stop.abort('changed my mind');
      await expect(call).rejects.toThrow();
      await expect.poll(seen).toContain(`cancelled ${nonce}`);
      await expect.poll(seen).toContain(`waiting ${other}`);
      release(other);
      expect(textOf(await goesOn)).toBe(`waited ${other}`);
      expect(seen()).not.toContain(`cancelled ${other}`);
    },
  ],
];
