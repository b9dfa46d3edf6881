import type { Examiner } from '../examine/findings.ts';
import { patternReadings } from '../pattern.ts';
import type { ReducedNode, ReducedSchema } from './reduced-schema.ts';

/** The member names that a schema knows about, in any of its alternatives. */
export interface KnownMembers {
  has(name: string): boolean;
}

const EVERYTHING: KnownMembers = { has: () => true };

export function knownMembers(schema: ReducedSchema, examiner: Examiner): KnownMembers {
  const nodes = nodesInPlace(schema, examiner);
  // A map of anything knows every name.
  if (nodes.some((node) => node.additionalProperties !== undefined)) return EVERYTHING;
  const names = new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})));
  const patterns = nodes.flatMap((node) => Object.keys(node.patternProperties ?? {})).flatMap(patternReadings);
  return { has: (name) => names.has(name) || patterns.some((pattern) => pattern.test(name)) };
}

/** Returns the node and those that speak of the same value. */
function nodesInPlace(schema: ReducedSchema, examiner: Examiner): readonly ReducedNode[] {
  const seen = new Set<ReducedNode>();
  const pending: ReducedSchema[] = [schema];
  while (pending.length > 0) {
    const node = examiner.resolve(pending.pop() ?? true);
    if (typeof node === 'boolean' || seen.has(node)) continue;
    seen.add(node);
    pending.push(...Object.values(node.dependentSchemas ?? {}));
    pending.push(...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? []));
  }
  return [...seen];
}
