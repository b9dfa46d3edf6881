/** Number of agents between a program and the user. An agent that a gateway has started for a chat has 1. */
export const DEPTH_VARIABLE = 'VIADUCT_DEPTH';

/** Returns the depth of a program with this environment. */
export function depthIn(env: Readonly<Record<string, string | undefined>>): number {
  return depthOf(env[DEPTH_VARIABLE]);
}

/** Returns the depth that a text says: 0 if there is none, 1 for a text that is no whole number. */
export function depthOf(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  return /^\d{1,4}$/.test(text) ? Number(text) : 1;
}
