import type { Descriptor } from '../../core/providers/provider.ts';
import { lastMember, membersOf } from '../../wire/lens.ts';

type SchemaMember = 'inputSchema' | 'outputSchema';

const schemas: Readonly<Record<SchemaMember, WeakMap<Descriptor, { readonly text: string | undefined }>>> = {
  inputSchema: new WeakMap(),
  outputSchema: new WeakMap(),
};

/** Returns the JSON of a tool's schema; `undefined` if it has none. */
export function schemaOf(descriptor: Descriptor, member: SchemaMember): string | undefined {
  let known = schemas[member].get(descriptor);
  if (known === undefined) {
    const text = Buffer.from(descriptor.text, 'latin1');
    const span = lastMember(membersOf(text), member);
    known = { text: span === undefined ? undefined : text.toString('utf8', span.start, span.end) };
    schemas[member].set(descriptor, known);
  }
  return known.text;
}
