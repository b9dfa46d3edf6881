import type { Descriptor } from '../../../core/providers/provider.ts';
import { parameterHeadersOf } from '../../../era/http/parameter-headers.ts';

/** A list is read again whenever it changes: each entry is looked into once. */
const known = new WeakMap<Descriptor, string>();
const FINE = '';

/**
 * Returns why a tool of a modern HTTP server cannot be offered (2026-07-28, Streamable HTTP, "Schema Extension");
 * `undefined` if it can.
 */
export function badParameterHeaders(entry: Descriptor): string | undefined {
  if (entry.kind !== 'tool') return undefined;
  let problem = known.get(entry);
  if (problem === undefined) {
    problem = problemOf(entry) ?? FINE;
    known.set(entry, problem);
  }
  return problem === FINE ? undefined : problem;
}

function problemOf({ text }: Descriptor): string | undefined {
  const found = parameterHeadersOf(text);
  return 'problem' in found ? found.problem : undefined;
}
