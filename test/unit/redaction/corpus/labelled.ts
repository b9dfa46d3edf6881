import { createHash } from 'node:crypto';

/** A text, and the secrets in it. */
export interface Labelled {
  readonly text: string;
  readonly secrets: readonly string[];
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALPHABETS = {
  hex: '0123456789abcdef',
  upper: `${LOWER.toUpperCase()}234567`,
  lower: `${LOWER}0123456789`,
  mixed: `${LOWER}${LOWER.toUpperCase()}0123456789`,
} as const;

/**
 * Returns made-up characters that look drawn by lot, the same ones in each run. Keys are assembled here, so that no
 * scanner takes these files for a leak.
 */
export function drawn(length: number, alphabet: keyof typeof ALPHABETS = 'mixed', seed = ''): string {
  const letters = ALPHABETS[alphabet];
  let text = '';
  for (let block = 0; text.length < length; block++) {
    const bytes = createHash('sha256').update(`${seed} ${length} ${alphabet} ${block}`).digest();
    for (const byte of bytes) text += letters[byte % letters.length];
  }
  return text.slice(0, length);
}

/** Returns what stands between `⟦` and `⟧` as secrets, and the text without these marks. */
export function labelled(marked: string): Labelled {
  const secrets = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map(([, secret]) => secret!);
  if (secrets.length === 0) throw new Error(`no secret is marked in ${marked}`);
  return { text: marked.replaceAll(/[⟦⟧]/g, ''), secrets };
}

/** Returns the secrets of which two thirds or more can still be read in `shown`; of one with several lines, each line counts. */
export function stillShown({ secrets }: Labelled, shown: string): readonly string[] {
  return secrets
    .flatMap((secret) => secret.split('\n').map((line) => line.trim()))
    .filter((line) => isShown(line, shown));
}

function isShown(secret: string, shown: string): boolean {
  const part = Math.max(4, Math.ceil((secret.length * 2) / 3));
  for (let at = 0; at + part <= secret.length; at++) if (shown.includes(secret.slice(at, at + part))) return true;
  return secret.length > 0 && secret.length < part && shown.includes(secret);
}
