import { isPlaceholder, isSentence } from './placeholders.ts';

/** Code, not a literal: a call, a member of something, a path. */
const CODE = /[()]|^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*)+!?$|^\.{0,2}\//;
const ALGORITHM =
  /^(?:oauth|jwt|hs|rs|es|ps|aes|sha|md|argon|ed|rsa|base|utf|http|tls|v)[-_]?\d{1,5}(?:[-_]?(?:id|i|d|gcm|cbc|bits?|hmac|\d{1,5})){0,3}$/i;
/** Matches characters that ordinary words of a sentence do not have. */
const DIGIT_OR_SIGN = /[\d!@#$%^&~]/;
const NUMBER = /^[\^~<>=v]*[\d.,:%/_ -]+$/;

const HASH = /^(?:[a-f0-9]{32}|[a-f0-9]{40}|[a-f0-9]{56}|[a-f0-9]{64}|[a-f0-9]{96}|[a-f0-9]{128})$/i;
const UUID = /^[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}$/i;
const INTEGRITY = /^sha\d{1,3}-/;
const PATH = /^[~.]{0,2}\/[\w.-]+\//;
const RANDOM_ALPHABET = /^[A-Za-z0-9+/_.~-]{20,512}={0,2}$/;

/** Returns true if a literal with a secret's name is that secret; `isQuoted` tells it from a word of a sentence or of code. */
export function isSecretLiteral(value: string, isQuoted: boolean): boolean {
  if (value.length < 6 || /\s/.test(value) || !mayBeLiteral(value, isQuoted) || NUMBER.test(value)) return false;
  if (DIGIT_OR_SIGN.test(value)) return true;
  return isQuoted ? value.length >= 8 && !areWords(value) : isMixed(value);
}

/** Returns whether a word of a sentence or of a log is no secret, though it is behind the name of one: `token: identifier2`. */
export function isCountedWord(value: string): boolean {
  return /^[A-Za-z]{4,}(?:[-_][A-Za-z]{2,})*[-_]?\d{1,2}$/.test(value);
}

/** Words with a dash, a space or `_` between them. The pattern has no repeated group: on long texts V8 gives those up. */
function areWords(value: string): boolean {
  const words = value.replace(/^--?/, '');
  return /^[a-z][a-z_ -]*$/i.test(words) && !/[-_ ](?:[-_ ]|$)/.test(words);
}

/** Returns true if a value with a password's name is one: words that people choose need not look like anything. */
export function isPasswordLiteral(value: string, isQuoted: boolean): boolean {
  return value.length >= 4 && mayBeLiteral(value, isQuoted) && (!isSentence(value) || /[$!]\w/.test(value));
}

function mayBeLiteral(value: string, isQuoted: boolean): boolean {
  return !isPlaceholder(value) && !ALGORITHM.test(value) && (isQuoted || !CODE.test(value));
}

/** Returns true if it looks random, and is no hash, UUID or public name. */
export function looksRandom(value: string): boolean {
  if (!RANDOM_ALPHABET.test(value) || PATH.test(value) || HASH.test(value) || UUID.test(value) || INTEGRITY.test(value))
    return false;
  const letters = value.replace(/[^A-Za-z0-9]/g, '');
  if (letters.length < 16 || (letters.match(/\d/g)?.length ?? 0) < 2 || !/[A-Za-z]/.test(letters)) return false;
  return turnsIn(letters) / letters.length >= 0.25 && entropyOf(value) >= 3.5;
}

function isMixed(value: string): boolean {
  return value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value) && turnsIn(value) / value.length >= 0.4;
}

/** Counts how often small letters, capitals and digits take turns: seldom in words, often in random text. */
function turnsIn(text: string): number {
  let turns = 0;
  for (let index = 1; index < text.length; index++) {
    if (classOf(text.charCodeAt(index)) !== classOf(text.charCodeAt(index - 1))) turns += 1;
  }
  return turns;
}

function classOf(code: number): number {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 97 && code <= 122 ? 2 : 3;
}

/** Bits a character, by how often each occurs. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
