/** How many agents stand between a program and the user: an agent that a gateway has started has 1. */
export const DEPTH_VARIABLE = 'VIADUCT_DEPTH';

/** An agent may not have this depth: it would be one that was started for another agent. */
export const MAX_DEPTH = 2;

/** Returns the depth of an agent that a gateway with this environment starts. A text that is no whole number counts as 1. */
export function childDepth(env: Readonly<Record<string, string | undefined>>): number {
  const text = env[DEPTH_VARIABLE];
  if (text === undefined || text === '') return 1;
  return (/^\d{1,4}$/.test(text) ? Number(text) : 1) + 1;
}
