import type { Era } from '../../../core/providers/provider.ts';
import type { SchemaFault } from '../../../core/providers/provider-status.ts';
import { schemaFaults } from '../../../schema/faults/schema-faults.ts';
import { lastMember, membersOf, valueAt } from '../../../wire/lens.ts';

/** A schema of more bytes is not looked at. */
const MAX_BYTES = 256 * 1024;

/**
 * Returns where the schemas of a tool are not valid JSON Schema.
 * @param text the tool as its server wrote it
 * @param era of the server: modern ones may describe results that are no objects (2026-07-28, "Output Schema")
 * @throws JsonTextError when a schema is no JSON
 */
export function schemaFaultsOf(text: Buffer, era: Era): readonly SchemaFault[] {
  const members = membersOf(text);
  const output = lastMember(members, 'outputSchema');
  const read = (name: 'inputSchema' | 'outputSchema', mustBeObject: boolean) => {
    const span = lastMember(members, name);
    if (span !== undefined && span.end - span.start > MAX_BYTES) return [];
    return schemaFaults(span === undefined ? undefined : valueAt(text, span), name, mustBeObject);
  };
  return [...read('inputSchema', true), ...(output === undefined ? [] : read('outputSchema', era === 'legacy'))];
}
