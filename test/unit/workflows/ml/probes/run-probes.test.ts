import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../../../src/core/errors.ts';
import { unlessAborted } from '../../../../../src/core/timing/unless-aborted.ts';
import { PROBES } from '../../../../../src/workflows/ml/probes/probes.ts';
import { type ProbeRun, runProbes } from '../../../../../src/workflows/ml/probes/run-probes.ts';

function run(ask: ProbeRun['ask'], more: Partial<ProbeRun> = {}) {
  const { signal } = new AbortController();
  return runProbes({ probes: PROBES, concurrency: 4, signal, ask, onResult: () => undefined, ...more });
}

test('all at once, each listening for a cancel: Node.js does not warn', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const { signal } = new AbortController();
  const ask: ProbeRun['ask'] = async (_probe, ended) => {
    await unlessAborted(unlessAborted(nextTurn(), ended), signal);
    return { text: 'Answer: 7810' };
  };
  const results = await run(ask, { signal, concurrency: PROBES.length });
  expect(results).toHaveLength(PROBES.length);
  await nextTurn();
  expect(warnings).toEqual([]);
});

test('a fault of another kind ends all of them', async () => {
  const asked: AbortSignal[] = [];
  const ask: ProbeRun['ask'] = async (_probe, ended) => {
    asked.push(ended);
    if (asked.length === 2) throw new TypeError('a bug');
    return unlessAborted(new Promise<never>(() => undefined), ended);
  };
  await expect(run(ask)).rejects.toThrow('a bug');
  expect(asked.every(({ aborted }) => aborted)).toBe(true);
});

test('a response that is far too long is cut', async () => {
  const [result] = await run(async () => ({ text: `${'x'.repeat(1_000_000)}\nAnswer: 7810` }), {
    probes: PROBES.slice(0, 1),
  });
  expect(result!.response).toHaveLength(50_000);
  expect(result!.passed).toBe(true);
});

test('three failures at the beginning end the run, later ones are results', async () => {
  let asked = 0;
  const ask = (failing: (at: number) => boolean) => async () => {
    if (failing(++asked)) throw new GatewayError('MODEL_FAILED', 'down');
    return { text: 'Answer: 1' };
  };
  await expect(
    run(
      ask(() => true),
      { concurrency: 1 },
    ),
  ).rejects.toThrow('down');
  expect(asked).toBe(3);
  asked = 0;
  const results = await run(
    ask((at) => at > 1),
    { concurrency: 1 },
  );
  expect(results.filter(({ response }) => response === 'error: down')).toHaveLength(PROBES.length - 1);
});
