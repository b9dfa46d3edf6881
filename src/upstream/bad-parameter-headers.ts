import type { Descriptor } from '../core/provider.ts';
import { parameterHeaders } from '../era/parameter-headers.ts';
import { lastMember, membersOf } from '../wire/lens.ts';

/** Why a tool of a modern HTTP server cannot be offered (2026-07-28, Streamable HTTP, "Schema Extension"). */
export function badParameterHeaders({ kind, text: bytes }: Descriptor): string | undefined {
  if (kind !== 'tool') return undefined;
  const text = Buffer.from(bytes, 'latin1');
  const schema = lastMember(membersOf(text), 'inputSchema');
  const found = schema === undefined ? [] : parameterHeaders(text, schema);
  return 'problem' in found ? found.problem : undefined;
}
