// The long proofs: npm run faults:long [-- kill|fuzz|soak|isolation|checkpoints|processes|live|workspace|interleavings|connections|knowledge|files …] [--cycles=300] [--calls=100000] [--seed=1]
// [--parallel=4] [--windows=7] [--kind=stderr] [--mebibytes=100]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { floodLive } from '../../../test/support/live-flood.ts';
import { percentile } from '../../bench/measure.ts';
import { Scene } from '../scene.ts';
import { killWriters } from './checkpoints.ts';
import { type FuzzOutcome, fuzzHttp, fuzzStdio, fuzzUpstream } from './fuzz.ts';
import { ISOLATION_KINDS, measureIsolation } from './isolation.ts';
import { type CycleOutcome, type Ending, endGateways } from './kill.ts';
import { killIndexers } from './knowledge.ts';
import { indexManyFiles } from './many-files.ts';
import { killWithProcesses } from './process-trees.ts';
import { soak, soakPlan } from './soak.ts';

const SHOWN_PROBLEMS = 20;
const PROGRESS_EVERY = 50;
const WINDOW_MS = 3_000;
const KILL_CYCLES = 300;
const CHECKPOINT_ROUNDS = 200;
const INDEX_ROUNDS = 50;
const INDEXED_FILES = 200_000;
const PROCESS_ROUNDS = 3;
const PROCESSES = 200;
const WORKSPACE_STEPS = 10_000;
const INTERLEAVINGS = 10_000;
const CONNECTION_STEPS = 10_000;
const ENDINGS: readonly Ending[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'EOF'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cycles: { type: 'string' },
    calls: { type: 'string' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '4' },
    windows: { type: 'string', default: '7' },
    kind: { type: 'string' },
    mebibytes: { type: 'string', default: '100' },
  },
});
const seed = Number(values.seed);

const out = (line = '') => void process.stdout.write(`${line}\n`);

/** Prints the problems; gives how many there are. */
function report(problems: readonly string[]): number {
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) out(`  PROBLEM ${problem.slice(0, 800)}`);
  if (problems.length > SHOWN_PROBLEMS) out(`  … and ${problems.length - SHOWN_PROBLEMS} more`);
  return problems.length;
}

async function kill(): Promise<number> {
  const cycles = Number(values.cycles ?? KILL_CYCLES);
  const each = Math.ceil(cycles / 6);
  out(`kill: ${cycles} x SIGKILL (one in five during the start), ${each} x each other ending, seed ${seed}`);
  const plan = {
    cycles: { SIGKILL: cycles, SIGTERM: each, SIGINT: each, SIGHUP: each, EOF: each },
    early: 0.2,
    parallel: Number(values.parallel),
    seed,
  };
  let done = 0;
  const outcomes = await endGateways(plan, ({ cycle, problems }) => {
    if (++done % PROGRESS_EVERY === 0) out(`  ${done} cycles`);
    for (const problem of problems) out(`  ${cycle.ending}${cycle.early ? ' (early)' : ''}: ${problem}`);
  });
  for (const ending of ENDINGS) out(`  ${line(ending, outcomes)}`);
  return outcomes.filter(({ problems }) => problems.length > 0).length;
}

function line(ending: Ending, outcomes: readonly CycleOutcome[]): string {
  const own = outcomes.filter(({ cycle }) => cycle.ending === ending);
  const clean = own.filter(({ problems }) => problems.length === 0);
  const after = own.flatMap(({ goneAfterMs }) => goneAfterMs ?? []).sort((a, b) => a - b);
  const left = own.reduce((sum, { survivors }) => sum + survivors.length, 0);
  const ms = (share: number) => Math.round(percentile(after, share));
  const gone = `gone after ${ms(0.5)} ms (median), ${ms(1)} ms (longest)`;
  return `${ending.padEnd(8)} ${clean.length} of ${own.length} clean, ${left} processes left, ${gone}`;
}

async function fuzz(): Promise<number> {
  const messages = Number(values.calls ?? 20_000);
  out(`fuzz: ${messages} client messages, ${messages / 4} upstream messages, seed ${seed}`);
  let problems = 0;
  for (const run of [
    (scene: Scene) => fuzzStdio(scene, messages / 2, seed),
    (scene: Scene) => fuzzHttp(scene, messages / 2, seed + 1),
    (scene: Scene) => fuzzUpstream(scene, messages / 4, seed + 2),
  ]) {
    const outcome = await inScene(run);
    out(`  ${fuzzLine(outcome)}`);
    problems += report(outcome.problems);
  }
  return problems;
}

function fuzzLine({ name, messages, seconds, unanswered, rss: [warm, end], notes }: FuzzOutcome): string {
  const memory = `memory ${warm.toFixed(1)} -> ${end.toFixed(1)} MiB`;
  return `${name}: ${messages} in ${seconds.toFixed(0)} s, ${unanswered} unanswered, ${memory}; ${notes}`;
}

async function longSoak(): Promise<number> {
  const plan = soakPlan(Number(values.calls ?? 100_000));
  out(`soak: ${plan.calls} calls, ${plan.restarts} restarts, ${plan.sessions} sessions, ${plan.reloads} reloads`);
  out('     calls   fds timers sockets listeners promises  heap MiB   rss MiB');
  const outcome = await inScene((scene) =>
    soak(scene, plan, (sample) => {
      const listeners = sample.processListeners + sample.handleListeners;
      const counts = [sample.calls, sample.fds, sample.timers, sample.sockets, listeners, sample.promises];
      const widths = [10, 6, 7, 8, 10, 9];
      const numbers = counts.map((count, column) => String(count).padStart(widths[column]!)).join('');
      out(numbers + sample.heapMiB.toFixed(1).padStart(10) + sample.rssMiB.toFixed(1).padStart(10));
    }),
  );
  const { calls, seconds, told, first, last, slope } = outcome;
  const pair = ({ p50, p99 }: { p50: number; p99: number }) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
  out(
    `  ${calls} calls in ${seconds.toFixed(0)} s (${Math.round(calls / seconds)}/s with everything else beside them)`,
  );
  out(`  first tenth: ${pair(first)}; last tenth: ${pair(last)}`);
  out(`  ${told} calls met an upstream that was restarting, and were told`);
  out(`  memory: ${slope.toFixed(2)} MiB per 10,000 calls over the last half`);
  return report(outcome.problems);
}

async function isolation(): Promise<number> {
  const windows = Number(values.windows);
  out(
    `isolation: p99 of good calls, ${windows} windows of ${WINDOW_MS / 1_000} s without and with each fault by turns`,
  );
  let failures = 0;
  for (const kind of values.kind === undefined ? ISOLATION_KINDS : [values.kind]) {
    const {
      holds,
      baseP99,
      faultP99,
      faultMax,
      calls,
      failures: failed,
    } = await measureIsolation(kind, windows, WINDOW_MS);
    const times = `${baseP99.toFixed(2)} -> ${faultP99.toFixed(2)} ms (longest ${faultMax.toFixed(1)} ms)`;
    out(`  ${holds ? 'ok  ' : 'FAIL'} ${kind.padEnd(14)} ${times}, ${failed} of ${calls} calls failed`);
    if (!holds) failures++;
  }
  return failures;
}

async function checkpoints(): Promise<number> {
  const rounds = Number(values.cycles ?? CHECKPOINT_ROUNDS);
  out(`checkpoints: ${rounds} x SIGKILL of two processes that write`);
  const outcomes = await killWriters(rounds, (name, round) => {
    if (round % PROGRESS_EVERY === 0) out(`  ${name}: ${round} rounds`);
  });
  let problems = 0;
  for (const outcome of outcomes) {
    out(`  ${outcome.name}: ${outcome.acknowledged} writes were acknowledged`);
    problems += report(outcome.problems);
  }
  return problems;
}

async function live(): Promise<number> {
  const mebibytes = Number(values.mebibytes);
  out(`live: ${mebibytes} MiB of output before a fast subscriber, one that reads 100 KB/s, and one that does not read`);
  const { isWhole, seconds, idle, peak, codes, clients } = await floodLive(mebibytes);
  const rate = `${seconds.toFixed(1)} s (${(mebibytes / seconds).toFixed(0)} MiB/s)`;
  out(`  ${rate}, memory ${idle.toFixed(1)} -> at most ${peak.toFixed(1)} MiB; the slow ones: ${codes.join(', ')}`);
  return report([
    ...(isWhole ? [] : ['the fast subscriber did not get everything, or not in order']),
    ...(peak - idle < 150 ? [] : ['more than 150 MiB over idle']),
    ...(clients === 1 ? [] : [`${clients} subscribers were left`]),
  ]);
}

async function processes(): Promise<number> {
  const rounds = Number(values.cycles ?? PROCESS_ROUNDS);
  out(`processes: ${rounds} x SIGKILL of a gateway with ${PROCESSES} processes that agents have started`);
  let problems = 0;
  for (let round = 0; round < rounds; round++) {
    const { processes, goneAfterMs, survivors } = await inScene((scene) => killWithProcesses(scene, PROCESSES));
    const end = goneAfterMs === undefined ? `${survivors.length} LEFT` : `gone after ${Math.round(goneAfterMs)} ms`;
    out(`  ${PROCESSES} started, ${processes} with what they started: ${end}`);
    problems += report(survivors.map(({ pid, command }) => `${command} (${pid})`));
  }
  return problems;
}

/** Tests of `npm run proofs`, with five times as many steps. */
function workspace(): Promise<number> {
  out(`workspace: ${WORKSPACE_STEPS} steps while paths change under them, and against a model`);
  const files = ['model', 'path-attacks'].map((name) => `test/unit/workspace/${name}.proof.ts`);
  return runTests(files, { VIADUCT_LONG_STEPS: String(WORKSPACE_STEPS) });
}

/** The tests of `npm test`, with more rounds: a model of all parts between two peers, and real parts of all transports. */
function interleavings(): Promise<number> {
  const rounds = Number(values.cycles ?? INTERLEAVINGS);
  out(`interleavings: ${rounds} of calls, questions, logs and cancellations, with secrets, seed ${seed}`);
  const files = ['unit/upstream/events/asks', 'e2e/secrecy'].map((folder) => `test/${folder}/interleavings.test.ts`);
  return runTests(files, { VIADUCT_INTERLEAVINGS: String(rounds), VIADUCT_SEED: String(seed) });
}

/** The model of `npm run proofs`, with more steps. */
function connections(): Promise<number> {
  const steps = Number(values.cycles ?? CONNECTION_STEPS);
  out(
    `connections: ${steps} steps of clients, processes and configs that come and go, for each \`share\`, seed ${seed}`,
  );
  const files = ['test/unit/session/connections/model.proof.ts'];
  return runTests(files, { VIADUCT_MODEL_STEPS: String(steps), VIADUCT_MODEL_SEED: String(seed) });
}

async function runTests(files: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const isProof = (file: string) => file.endsWith('.proof.ts');
  const proofs = await runVitest('vitest.proofs.config.ts', files.filter(isProof), env);
  return (
    proofs +
    (await runVitest(
      'vitest.config.ts',
      files.filter((file) => !isProof(file)),
      env,
    ))
  );
}

/** Returns the number of failed runs. */
async function runVitest(
  config: string,
  files: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  if (files.length === 0) return 0;
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...files];
  const [code] = await once(
    spawn(process.execPath, vitest, { env: { ...process.env, ...env }, stdio: 'inherit' }),
    'exit',
  );
  return code === 0 ? 0 : 1;
}

async function inScene<T>(work: (scene: Scene) => Promise<T>): Promise<T> {
  const scene = new Scene();
  try {
    return await work(scene);
  } finally {
    await scene.close();
  }
}

async function knowledge(): Promise<number> {
  const rounds = Number(values.cycles ?? INDEX_ROUNDS);
  out(`knowledge: ${rounds} x SIGKILL of a gateway that indexes`);
  const outcomes = await killIndexers(rounds, (name, round) => {
    if (round % 10 === 0) out(`  ${name}: ${round} rounds`);
  });
  let problems = 0;
  for (const { name, cutOff, problems: found } of outcomes) {
    out(`  ${name}: ${cutOff} runs were cut off`);
    problems += report(found);
  }
  return problems;
}

async function files(): Promise<number> {
  const count = Number(values.cycles ?? INDEXED_FILES);
  out(`files: a folder of ${count} small files is indexed while an upstream is called every 10 ms`);
  const scene = new Scene();
  const outcome = await indexManyFiles(scene, count).finally(async () => {
    await scene.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });
  const { idleMib, peakMib, searchP95Ms } = outcome;
  for (const [name, { seconds, filesIndexed, good }] of [
    ['first', outcome.first],
    ['again', outcome.again],
  ] as const) {
    const calls = `${good.calls} calls, p99 ${good.p99Ms.toFixed(1)} ms, longest ${good.worstMs.toFixed(0)} ms`;
    out(`  ${name}: ${filesIndexed} files in ${seconds.toFixed(1)} s; ${calls}`);
  }
  out(`  memory ${idleMib.toFixed(0)} -> at most ${peakMib.toFixed(0)} MiB; search p95 ${searchP95Ms.toFixed(0)} ms`);
  return report(outcome.problems);
}

const PROOFS: Readonly<Record<string, () => Promise<number>>> = {
  kill,
  fuzz,
  soak: longSoak,
  isolation,
  checkpoints,
  processes,
  live,
  workspace,
  interleavings,
  connections,
  knowledge,
  files,
};

let failed = 0;
for (const name of positionals.length > 0 ? positionals : Object.keys(PROOFS)) {
  const proof = PROOFS[name];
  if (proof === undefined) {
    process.stderr.write(`unknown proof "${name}"; there are ${Object.keys(PROOFS).join(', ')}\n`);
    process.exit(2);
  }
  const problems = await proof();
  out(problems === 0 ? `${name}: passed` : `${name}: FAILED, ${problems} problems`);
  if (problems > 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
