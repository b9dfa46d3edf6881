import assert from 'node:assert/strict';
import { HOSTILE_MODES, openSession } from '../../../../fixtures/clients/hostile-http.ts';
import type { HostileMode, Outcome } from '../../../../fixtures/clients/hostile-mode.ts';
import { HttpSession } from '../../../../test/support/http/http-client.ts';
import { isAlive } from '../../../../test/support/processes.ts';
import { assertThat } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { openSockets } from '../../long/processes.ts';
import { until } from '../../scene.ts';

type ModeName = keyof typeof HOSTILE_MODES;

interface Row {
  readonly id: string;
  readonly mode: ModeName;
  readonly holds: string;
  /** The conditions in addition to the status. */
  readonly check?: (outcomes: readonly Outcome[]) => void;
  /** The gateway must have as many sockets open afterwards as before. */
  readonly leavesNothing?: boolean;
}

const ROWS: readonly Row[] = [
  { id: 'H-host', mode: 'foreign-host', holds: '403 on every route, before the body is read' },
  { id: 'H-host-rebound', mode: 'near-host', holds: '403' },
  { id: 'H-host-missing', mode: 'no-host', holds: '400' },
  { id: 'H-host-two', mode: 'two-hosts', holds: '400 on every route' },
  { id: 'H-origin', mode: 'foreign-origin', holds: '403 on every route, without CORS headers' },
  { id: 'H-origin-near', mode: 'near-origin', holds: '403' },
  { id: 'H-cors-preflight', mode: 'preflight', holds: 'refused, without CORS headers' },
  { id: 'H-csrf-form', mode: 'forms', holds: '415; the upstream sees nothing' },
  { id: 'H-upgrade', mode: 'upgrade', holds: '403: there is no other protocol behind the guard' },
  {
    id: 'H-expect',
    mode: 'expect-continue',
    holds: 'no client is told to continue before the guard agrees',
    check: noContinue,
  },
  { id: 'H-smug-two-headers', mode: 'two-of-a-header', holds: '400' },
  { id: 'H-smug-length-and-chunks', mode: 'length-and-chunks', holds: '400 and the connection is closed' },
  { id: 'H-smug-chunks', mode: 'bad-chunks', holds: '400 or 413' },
  { id: 'H-smug-line-feeds', mode: 'bare-line-feeds', holds: '400' },
  { id: 'H-smug-hidden', mode: 'smuggled', holds: 'the second request faces the guard: 403', check: guardedTwice },
  { id: 'H-no-http', mode: 'no-http', holds: '400, or closed' },
  { id: 'H-size-headers', mode: 'huge-headers', holds: '431' },
  { id: 'H-size-bodies', mode: 'huge-bodies', holds: '413' },
  { id: 'H-slow-headers', mode: 'slow-headers', holds: '408 within 15 s', check: closedWithin(15_000) },
  { id: 'H-slow-silent', mode: 'silent', holds: 'closed within 15 s, others are served', check: closedWithin(15_000) },
  { id: 'H-slow-body', mode: 'slow-body', holds: '408 within 35 s', check: closedWithin(35_000) },
  { id: 'H-half-closed', mode: 'half-closed', holds: 'the answer comes all the same' },
  { id: 'H-cut-off', mode: 'cut-off', holds: 'the gateway holds no socket of them', leavesNothing: true },
  { id: 'H-methods', mode: 'methods', holds: '405 or 404' },
  { id: 'H-sess-ids', mode: 'session-ids', holds: '404, and a new client works' },
  { id: 'H-sess-none', mode: 'no-session', holds: '400 with what to do' },
  { id: 'H-sess-resume', mode: 'resume-ids', holds: '400' },
  { id: 'H-version', mode: 'versions', holds: '400' },
  { id: 'H-json', mode: 'json-bodies', holds: '400' },
  { id: 'H-json-initialize', mode: 'broken-initialize', holds: 'answered, and no session is left behind for batches' },
];

export const HTTP_REQUEST_FAULTS: readonly Fault[] = ROWS.map(({ id, mode, holds, check, leavesNothing }): Fault => {
  const hostile: HostileMode = HOSTILE_MODES[mode];
  return {
    id,
    what: hostile.help,
    holds,
    ...(hostile.isSlow !== true && { quick: true }),
    async run(scene) {
      const log = scene.logFile('talkative');
      const gateway = await scene.serve({ t: scene.fixture('talkative', [`--log=${log}`]) });
      const session = await openSession(gateway.url);
      // Afterwards all that the gateway opens for itself is open, and a connection that a client keeps.
      await works(gateway.url);
      const callsBefore = callsIn(scene.linesOf(log)).length;
      const { pid } = gateway.child;
      const before = openSockets(pid!);
      const running = hostile.run({ url: gateway.url, session });
      if (hostile.isSlow === true) await works(gateway.url);
      const outcomes = await running;
      for (const { sent, answer } of outcomes) {
        assertThat(
          `${sent}: ${answer.status}, not ${hostile.expected.join()}`,
          hostile.expected.includes(answer.status),
        );
        assertThat(`${sent}: no CORS header`, !answer.headers.has('access-control-allow-origin'));
      }
      check?.(outcomes);
      const calls = callsIn(scene.linesOf(log)).slice(callsBefore);
      assert.deepEqual(calls, hostile.isSlow === true ? ['echo'] : [], 'calls of the upstream');
      if (leavesNothing === true) {
        await until(`at most ${before} open sockets, as before`, () => openSockets(pid!) <= before, 15_000);
      }
      await works(gateway.url);
      assertThat('the gateway lives', isAlive(pid!));
      assertThat('no header value is in the log', !gateway.stderr().includes('evil'));
    },
  };
});

/** A new client gets its answer. */
async function works(url: string): Promise<void> {
  const session = await HttpSession.open(url);
  await until('the tools are listed', async () => (await session.toolNames()).includes('t_echo'));
  assert.equal(await session.callText('t_echo', { text: 'still' }), 'talkative: still');
}

function callsIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /^call (\S+)/.exec(line)?.[1] ?? []);
}

function noContinue(outcomes: readonly Outcome[]): void {
  for (const { sent, answer } of outcomes)
    assertThat(`${sent}: no 100 Continue`, !answer.text.includes('100 Continue'));
}

function guardedTwice(outcomes: readonly Outcome[]): void {
  for (const { sent, answer } of outcomes) assert.deepEqual(answer.statuses, [200, 403], sent);
}

function closedWithin(ms: number): (outcomes: readonly Outcome[]) => void {
  return (outcomes) => {
    for (const { sent, answer } of outcomes) {
      assertThat(`${sent}: answered or closed`, answer.status === 408 || answer.isClosed);
      assertThat(`${sent}: ms to the end: ${Math.round(answer.ms)}, at most ${ms}`, answer.ms <= ms);
    }
  };
}
