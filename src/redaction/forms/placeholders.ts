import { isSecretName } from '../names.ts';
import { hasRedaction } from '../redactions.ts';

/** Types, and single words that only describe a value. */
const DESCRIPTIONS = new Set(
  'any array auto base64 basic bearer bool boolean bytes changeit changeme char date default disabled empty enabled example false float hidden int integer json masked never nil no none null number object off on optional placeholder required redacted str string text todo true undefined unknown uuid varchar void yes'.split(
    ' ',
  ),
);
/** First words of what stands where a secret should be: `your-token-here`, `REPLACE_ME`. */
const BEGINNINGS = new Set(
  'a add an any change choose copy dummy enter example fake fill forgot generate insert invalid its mock my new no not old paste placeholder put replace reset sample see set some test the this type use wrong your'.split(
    ' ',
  ),
);
/** Words of which names of secrets are made, and those that stand beside them in a placeholder. */
const TOPICS = new Set(
  'access api apikey app auth bearer client code confirm credential credentials current db github header here id it key me name login oauth or pass passphrase passwd password private pw pwd random refresh secret server string token user username value with'.split(
    ' ',
  ),
);
/** Words of sentences, seldom of a passphrase. */
const SENTENCE_WORDS = new Set(
  'and are at be by can cannot enter for forgot from has have if in incorrect invalid is key must not of or password passwords please required reset secret should that the this to token used user when will with wrong your'.split(
    ' ',
  ),
);

/** A reference to something that is not in the text. */
const REFERENCE =
  /\$\{[^{}]{0,200}\}|\$\([^()]{0,200}\)|\{\{[^{}]{0,200}\}\}|#\{[^{}]{0,200}\}|<[A-Za-z][\w .:/-]{0,80}>|%[A-Za-z_]\w{1,60}%|(?<!\w)\$[A-Z_][A-Z0-9_]*(?!\w)/g;
/** `${NAME:-default}`, and the default. */
const DEFAULT = /^\$\{\w{1,100}:?[-=]([^{}]{1,200})\}$/;
/** Matches references from which a value is read, as languages and tools write them. */
const SOURCE =
  /^(?:process\.env|import\.meta|os\.environ|os\.getenv|getenv\(|env[.(]|secrets?\.|var\.|local\.|data\.|module\.|vault:[\w-]+\/|op:\/\/|file:[./~$]|ssm:\/|arn:aws:|!(?:vault|Ref|Sub|GetAtt|secret)\b|ref\+|ENC\[|@Microsoft\.KeyVault|\[[a-z ]{1,40}\]$|__[A-Z0-9_]{1,80}__$|@[A-Z0-9_]{1,80}@$|~$)/;
/** A variable of a shell, of PHP or of PowerShell. */
const VARIABLE = /^`[^`]{1,200}`$|^\$(?:[A-Za-z_]+|[A-Z_][A-Z0-9_]*|env:\w+)$/;
const SECRET_VARIABLE = /^\$[A-Za-z_]\w{0,80}$/;
const FILLER = /^[*•xX.…#_?-]{3,}$/;
/** Matches values of which most was taken out: `sk-...`, `ghp_xxxxxxxx`, `ab***`. */
const TAKEN_OUT = /^(?:[A-Za-z0-9_.-]{0,14}(?:[xX]{4,}|[*•]{3,}|\.{3})[A-Za-z0-9]{0,4}|[A-Za-z0-9_.-]{0,3}…)$/;

/** Returns whether the value only stands for a secret: a reference, a description, stars. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return text === '' || hasRedaction(text) || isFiller(text) || isDescription(text) || isReference(text);
}

/** Returns whether a text has spaces and reads like a part of a sentence. */
export function isSentence(text: string): boolean {
  if (!/\S\s+\S/.test(text)) return false;
  // Whole words: a part of `Q8BE` is none.
  const words = text.toLowerCase().split(/[^\p{L}\d]/u);
  return words.some((word) => SENTENCE_WORDS.has(word));
}

function isFiller(text: string): boolean {
  return FILLER.test(text) || TAKEN_OUT.test(text) || /[*•]{4}/.test(text);
}

function isDescription(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z _.?-]*$/.test(text) && !DESCRIPTIONS.has(text.toLowerCase())) return false;
  const words = wordsOf(text);
  if (words.length === 1) return DESCRIPTIONS.has(words[0]!) || TOPICS.has(words[0]!);
  if (words.every((word) => BEGINNINGS.has(word) || TOPICS.has(word) || DESCRIPTIONS.has(word))) return true;
  return BEGINNINGS.has(words[0] ?? '') && words.some((word) => TOPICS.has(word));
}

function isReference(text: string): boolean {
  const fallback = DEFAULT.exec(text)?.[1];
  if (fallback !== undefined) return !/[\d!@#$%^&*]/.test(fallback) || isPlaceholder(fallback);
  if (SOURCE.test(text) || VARIABLE.test(text)) return true;
  const inBraces = /^\{([A-Za-z_][\w.]{0,60})\}$/.exec(text)?.[1];
  if (inBraces !== undefined) return isSecretName(inBraces) || isDescription(inBraces);
  if (SECRET_VARIABLE.test(text) && isSecretName(text)) return true;
  const rest = text.replace(REFERENCE, '');
  return rest !== text && !/\w{4}/.test(rest.replaceAll(/(?<![A-Za-z\d])[a-z]+(?![A-Za-z\d])/gi, ''));
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}
