import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { ToolLine } from './gateway-status.ts';

/** Returns the tools of the catalogue as the command line shows them. */
export function describeTools(catalogue: CatalogueView): ToolLine[] {
  return [...catalogue.routes('tool')].map(([name, { provider, ownName, descriptor }]) => {
    const text = Buffer.from(descriptor?.text ?? '{}', 'latin1').toString('utf8');
    const { title, description, inputSchema } = JSON.parse(text) as Record<string, unknown>;
    return {
      name,
      provider: provider.id,
      ownName,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      inputSchema,
    };
  });
}
