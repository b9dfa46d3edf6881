import { CLIENT_BACKEND } from '../core/settings/models-options.ts';
import { type ConfigPath, type Finding, isMapping, valueAt } from './findings/finding.ts';
import { suggest } from './findings/suggest.ts';

/** Where options of workflows name a backend of the section `models`. */
const REFERENCES: readonly ConfigPath[] = [
  ['workflows', 'ml', 'judge', 'backend'],
  ['workflows', 'ide', 'model', 'backend'],
];

/** Returns a finding for each workflow that names a backend which is not in `models`. `file` is the whole file, of whatever shape. */
export function modelFindings(file: unknown): Finding[] {
  const backends = valueAt(file, ['models', 'backends']);
  const names = [...(isMapping(backends) ? Object.keys(backends) : []), CLIENT_BACKEND];
  return REFERENCES.flatMap((path) => {
    const name = valueAt(file, path);
    if (typeof name !== 'string' || names.includes(name)) return [];
    const meant = suggest(name, names);
    const hint = meant === undefined ? `there are: ${names.join(', ')}` : `did you mean "${meant}"?`;
    return [{ path, message: 'no backend of models.backends has this name', hint }];
  });
}
