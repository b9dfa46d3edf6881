import { runClientScenarios } from './run-client.ts';
import { type Check, runSuite } from './run-suite.ts';
import type { Era, Suite } from './suites.ts';
import { startFixture, startGateway, type Target } from './targets.ts';

/** How a suite is run: what is between its clients and the fixture server, or that the gateway is the client. */
export interface Way {
  readonly name: string;
  /** True if checks that pass directly have to pass. */
  readonly isHeldAgainstDirect: boolean;
  run(suite: Suite): Promise<readonly Check[]>;
}

/** Without the gateway. */
export const DIRECT: Way = serverWay('direct', ({ era }) => startFixture(era));

export const WAYS: readonly Way[] = [
  DIRECT,
  serverWay('same-era', ({ era }) => startGateway(era)),
  serverWay('cross-era', ({ era }) => startGateway(otherThan(era))),
  { name: 'as-client', isHeldAgainstDirect: false, run: runClientScenarios },
];

function serverWay(name: string, open: (suite: Suite) => Promise<Target>): Way {
  return {
    name,
    isHeldAgainstDirect: name !== 'direct',
    async run(suite) {
      const target = await open(suite);
      try {
        return await runSuite(suite, target.url);
      } finally {
        await target.stop();
      }
    },
  };
}

function otherThan(era: Era): Era {
  return era === 'legacy' ? 'modern' : 'legacy';
}
