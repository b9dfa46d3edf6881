import type { CatalogueView } from '../../catalogue/catalogue-view.ts';
import type { Descriptor } from '../../core/providers/provider.ts';
import { type ParameterHeader, parameterHeadersOf } from '../../era/http/parameter-headers.ts';

const known = new WeakMap<Descriptor, readonly ParameterHeader[]>();

/** Returns the arguments that a call of this tool repeats in headers; none for tools whose declarations clients must refuse. */
export function toolHeadersOf(catalogue: CatalogueView, name: string): readonly ParameterHeader[] {
  const descriptor = catalogue.routes('tool').get(name)?.descriptor;
  if (descriptor === undefined || !descriptor.text.includes('x-mcp-header')) return [];
  let headers = known.get(descriptor);
  if (headers === undefined) {
    const declared = parameterHeadersOf(descriptor.text);
    headers = 'problem' in declared ? [] : declared;
    known.set(descriptor, headers);
  }
  return headers;
}
