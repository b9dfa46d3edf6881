import type { Descriptor } from '../../../core/providers/provider.ts';
import { parameterHeadersOf } from '../../../era/http/parameter-headers.ts';

/**
 * Returns why a tool of a modern HTTP server cannot be offered (2026-07-28, Streamable HTTP, "Schema Extension");
 * `undefined` if it can.
 */
export function badParameterHeaders({ kind, text }: Descriptor): string | undefined {
  if (kind !== 'tool') return undefined;
  const found = parameterHeadersOf(text);
  return 'problem' in found ? found.problem : undefined;
}
