import assert from 'node:assert/strict';
import type { Fault } from '../fault.ts';
import { fuzzHttp, fuzzStdio, fuzzUpstream } from '../long/fuzz.ts';
import { endGateways } from '../long/kill.ts';
import { soak, soakPlan } from '../long/soak.ts';

/** Small versions of the long proofs; `npm run faults:long` runs them in full. */
const SEED = 1;

const none = (problems: readonly string[]) => assert.deepEqual(problems, []);

export const LONG_FAULTS: readonly Fault[] = [
  {
    id: 'R-end-loop',
    what: 'The gateway is killed, or told to end, again and again over six upstreams that do not want to end',
    holds: 'None of their nine processes is left: 3 s after kill -9, 6 s after a signal or the end of input',
    platforms: ['linux'],
    async run() {
      const cycles = { SIGKILL: 10, SIGTERM: 2, SIGINT: 2, SIGHUP: 2, EOF: 2 };
      const outcomes = await endGateways({ cycles, early: 0.2, parallel: 2, seed: SEED }, () => undefined);
      none(outcomes.flatMap(({ cycle, problems }) => problems.map((problem) => `${cycle.ending}: ${problem}`)));
    },
  },
  {
    id: 'B-fuzz-stdio',
    what: '1,000 mutated messages of a client on standard input',
    holds: 'Every readable request gets one answer, the connection goes on, memory and prototypes stay',
    platforms: ['linux'],
    run: async (scene) => none((await fuzzStdio(scene, 1_000, SEED)).problems),
  },
  {
    id: 'B-fuzz-http',
    what: '1,000 mutated messages of a client over HTTP, some with bad headers',
    holds: 'Every readable request gets one answer and no status is 5xx; the session goes on',
    platforms: ['linux'],
    run: async (scene) => none((await fuzzHttp(scene, 1_000, SEED)).problems),
  },
  {
    id: 'B-fuzz-upstream',
    what: 'An upstream answers 500 calls with mutated messages, notifications and requests',
    holds: 'Every call ends within its time limit; calls to another upstream never fail',
    platforms: ['linux'],
    run: async (scene) => none((await fuzzUpstream(scene, 500, SEED)).problems),
  },
  {
    id: 'R-soak',
    what: '3,000 calls by eight clients while upstreams, sessions and the config come and go',
    holds: 'No call fails; file descriptors, timers and listeners do not pile up',
    platforms: ['linux'],
    run: async (scene) => none((await soak(scene, soakPlan(3_000))).problems),
  },
];
