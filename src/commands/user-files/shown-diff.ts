import { lineDiff } from '../../core/text/line-diff.ts';
import { cutOutsideSecrets } from '../../redaction/cut-outside-secrets.ts';
import { redact } from '../../redaction/redact.ts';

/** Files of agents can be one long line. */
const MAX_LINE = 2_000;

/** Returns the difference of two texts, with stars for these secrets, and marks for others that give themselves away. */
export function shownDiff(before: string, after: string, secrets: readonly string[] = []): string[] {
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const longestFirst = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return lineDiff(before, after).map((line) => {
    const masked = longestFirst.reduce((text, secret) => text.replaceAll(secret, '******'), line);
    return redact(cutOutsideSecrets(masked, MAX_LINE)).value;
  });
}
