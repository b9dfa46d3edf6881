import { readFileSync } from 'node:fs';
import type { RulePlace } from '../../core/settings/config-key.ts';
import { absolutePath } from '../home-path.ts';

/** Checks that a file can be read. Its content is checked when it is used. */
export function pemFileProblem(written: string, place: RulePlace) {
  if (written === '') return undefined;
  const file = absolutePath(written, place);
  const problem = readingProblem(file);
  return problem === undefined
    ? undefined
    : { message: `${file} cannot be read (${problem})`, hint: 'name a PEM file' };
}

function readingProblem(file: string): string | undefined {
  try {
    readFileSync(file);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
