import { type ConfigPath, type Finding, isMapping } from '../findings/finding.ts';
import { quoted } from '../findings/quoted.ts';
import { suggest } from '../findings/suggest.ts';
import { PROFILE_NAME } from './profile-schema.ts';

/** The names that a profile may mention. */
export interface KnownNames {
  readonly upstreams: readonly string[];
  readonly workflows: readonly string[];
}

/** Checks the names of profiles and the names in them, independent of their other faults. */
export function checkProfiles(profiles: unknown, known: KnownNames): Finding[] {
  if (!isMapping(profiles)) return [];
  return Object.entries(profiles).flatMap(([name, profile]) => [
    ...checkName(name),
    ...checkAccessNames(profile, ['profiles', name], known),
  ]);
}

function checkName(name: string): Finding[] {
  if (PROFILE_NAME.test(name)) return [];
  const hint = 'at most 40 small letters, digits and -, beginning with a letter or a digit: it is part of urls';
  return [{ path: ['profiles', name], at: 'key', message: 'not a name that a profile can have', hint }];
}

/** Checks that each upstream and workflow that a profile or a token names is there. */
export function checkAccessNames(profile: unknown, path: ConfigPath, known: KnownNames): Finding[] {
  if (!isMapping(profile)) return [];
  return (['upstreams', 'workflows'] as const).flatMap((list) => {
    const names = profile[list];
    if (!Array.isArray(names)) return [];
    return names.flatMap((name: unknown, index) =>
      typeof name !== 'string' || known[list].includes(name)
        ? []
        : [{ path: [...path, list, index], message: unknownWords(list, name), hint: hintFor(list, name, known) }],
    );
  });
}

function unknownWords(list: keyof KnownNames, name: string): string {
  return `there is no ${list === 'upstreams' ? 'upstream' : 'workflow'} ${quoted(name)}`;
}

function hintFor(list: keyof KnownNames, name: string, known: KnownNames): string {
  const other = list === 'upstreams' ? 'workflows' : 'upstreams';
  if (known[other].includes(name)) return `it is one of the ${other}: put it there`;
  if (name === '*' || name === 'all') return `leave ${list} out for all of them`;
  const meant = suggest(name, known[list]);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return known[list].length === 0 ? 'there are none' : `there are: ${known[list].join(', ')}`;
}
