import type { RulePlace } from '../../core/settings/config-key.ts';
import { type Finding, valueAt } from '../findings/finding.ts';
import { type ConfigKey, visitTexts } from './config-keys.ts';

/** The values of a file, of any shape. */
interface FileValues {
  /** The value before variables are replaced. */
  readonly written: unknown;
  /** The value after variables are replaced. */
  readonly expanded: unknown;
}

/** Applies the rules of keys to the texts of a file. */
export function ruleFindings(
  keys: readonly ConfigKey[],
  { written, expanded }: FileValues,
  context: Pick<RulePlace, 'folder' | 'env'>,
): Finding[] {
  const findings: Finding[] = [];
  for (const { pattern, facts } of keys) {
    if (facts.rule === undefined) continue;
    visitTexts(written, pattern, (text, path) => {
      const value = valueAt(expanded, path);
      // A rule is about the text itself, not about texts in a list that is in its place.
      if (path.length !== pattern.length || typeof value !== 'string') return;
      const problem = facts.rule?.(value, { ...context, written: text, parent: valueAt(written, path.slice(0, -1)) });
      if (problem !== undefined) findings.push({ path, ...problem });
    });
  }
  return findings;
}
