import type { Era, Suite } from './suites.ts';
import { startFixture, startGateway, type Target } from './targets.ts';

/** How the clients of a suite reach the fixture server. */
export interface Way {
  readonly name: string;
  open(suite: Suite): Promise<Target>;
}

/** Without the gateway: what passes here has to pass in the other ways. */
export const DIRECT: Way = { name: 'direct', open: ({ era }) => startFixture(era) };

const SAME_ERA: Way = { name: 'same-era', open: ({ era }) => startGateway(era) };
const CROSS_ERA: Way = { name: 'cross-era', open: ({ era }) => startGateway(otherThan(era)) };

export const GATEWAY_WAYS: readonly Way[] = [SAME_ERA, CROSS_ERA];

function otherThan(era: Era): Era {
  return era === 'legacy' ? 'modern' : 'legacy';
}
