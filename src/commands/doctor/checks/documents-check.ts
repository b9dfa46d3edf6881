import { type MissingLoader, missingLoaders } from '../../../knowledge/documents/missing-loaders.ts';
import type { Check } from './check.ts';

/** Checks that the packages are installed that read documents for the workflow `rag`. */
export function checkDocuments(missing: readonly MissingLoader[] = missingLoaders()): Check {
  const name = 'documents';
  if (missing.length === 0) return { name, mark: 'ok', text: 'HTML, Word and PDF can be read' };
  const lacking = missing.map(({ name: loader, documents }) => `${loader} (for ${documents})`).join(', ');
  return {
    name,
    mark: 'warn',
    text: `optional packages are not installed: ${lacking}`,
    fix: 'install Viaduct again without --omit=optional',
  };
}
