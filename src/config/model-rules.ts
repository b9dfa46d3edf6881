import { CLIENT_BACKEND } from '../core/settings/models-options.ts';
import { type Finding, isMapping, valueAt } from './findings/finding.ts';
import { suggest } from './findings/suggest.ts';
import { type ConfigKey, visitTexts } from './keys/config-keys.ts';

/**
 * Finds names of backends that are not in `models`.
 * @param file the whole file, of any shape
 */
export function modelFindings(file: unknown, keys: readonly ConfigKey[]): Finding[] {
  const backends = valueAt(file, ['models', 'backends']);
  const names = [...(isMapping(backends) ? Object.keys(backends) : []), CLIENT_BACKEND];
  const findings: Finding[] = [];
  for (const { pattern } of keys.filter(({ facts }) => facts.namesBackend)) {
    visitTexts(file, pattern, (name, path) => {
      if (!names.includes(name)) findings.push({ path, message: MESSAGE, hint: hintFor(name, names) });
    });
  }
  return findings;
}

const MESSAGE = 'no backend of models.backends has this name';

function hintFor(name: string, names: readonly string[]): string {
  const meant = suggest(name, names);
  return meant === undefined ? `there are: ${names.join(', ')}` : `did you mean "${meant}"?`;
}
