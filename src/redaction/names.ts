/** One word of a name that makes its value a secret, and two words that do together. */
const SECRET_WORDS = new Set([
  'password',
  'passwd',
  'passwort',
  'pwd',
  'passphrase',
  'passcode',
  'secret',
  'secrets',
  'token',
  'apikey',
  'apitoken',
  'authtoken',
  'accesstoken',
  'secretkey',
  'privatekey',
  'accesskey',
  'credential',
  'credentials',
  'authorization',
  'cookie',
  'dsn',
  'pw',
  'psk',
  'pepper',
  'kennwort',
  'requirepass',
  'masterauth',
]);
const SECRET_PAIRS = new Set([
  'api key',
  'access key',
  'secret key',
  'private key',
  'auth key',
  'encryption key',
  'signing key',
  'account key',
  'master key',
  'license key',
  'service key',
  'app key',
  'application key',
  'storage key',
  'deploy key',
  'webhook key',
  'session key',
  'subscription key',
  'functions key',
  'function key',
  'shared key',
  'consumer key',
  'hmac key',
  'jwt key',
  'integration key',
  'host pass',
  'connection string',
  'db pass',
  'user pass',
  'smtp pass',
  'mail pass',
  'mysql pass',
  'redis pass',
  'admin pass',
]);

/** Words behind which a name is about the secret, and its value is none: `token_count`, `PASSWORD_FILE`, `secretName`. */
const ABOUT_WORDS = new Set(
  'arn budget class column count counts design endpoint env error exp expires expiry field file flow format header hint id ids index input kind label length level lifetime limit limits manager max min mode model name names parser path pattern placeholder policy prefix provider regex required rotation rule schema scheme scope scopes service size source storage store strategy stream strength suffix table ttl type types ui uri url usage used validation validator var variable version view window'.split(
    ' ',
  ),
);

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** `PGPASSWORD`, `dbpassword`. */
const PASSWORD_ENDS =
  /(?:password|passwd|passphrase|passwort|(?:store|key|db|user|smtp|mail|admin|root|my|ssh|ftp|http|proxy|require)pass)$/;
/** Other names that are written in one word: `identitytoken`, `clientsecret`. */
const SECRET_ENDS = /(?:secret|token|apikey|secretkey|accesskey|privatekey|credentials?)$/;
/** Names by which a shell refers to its present folder. */
const FOLDERS = new Set(['PWD', 'OLDPWD']);

/** A part of each name that makes its value a secret. */
const STEMS = String.raw`pass|pw|secret|token|key|credential|auth|cookie|dsn|psk|pepper|kennwort|connection[^a-z\d]{0,80}string`;
const STEM = new RegExp(STEMS, 'i');
const EACH_STEM = new RegExp(STEMS, 'gi');

/**
 * Returns whether a text may have a name of a secret in it: where it says no, `isSecretName` says no of each name in the text.
 * Most texts have none, and one look costs less than reading all names.
 */
export function mayNameSecret(text: string): boolean {
  return STEM.test(text);
}

/** Returns where the next part of such a name begins; -1 if there is none. */
export function nextSecretStem(text: string, from: number): number {
  EACH_STEM.lastIndex = from;
  return EACH_STEM.exec(text)?.index ?? -1;
}

/** Returns true if the value of this name (of a variable, a header, a JSON member) is a secret. */
export function isSecretName(name: string): boolean {
  if (!mayNameSecret(name) || FOLDERS.has(name)) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (ABOUT_WORDS.has(last) || isKeyOfOther(words)) return false;
  if (last === 'pass' || /(?:^|:)_auth$/.test(name)) return true;
  return words.some(
    (word, index) =>
      SECRET_WORDS.has(word) ||
      SECRET_PAIRS.has(`${word} ${words[index + 1]}`) ||
      PASSWORD_ENDS.test(word) ||
      SECRET_ENDS.test(word),
  );
}

/** `TOKEN_KEY` is the key under which a token is kept, `API_KEY` is a secret itself. */
function isKeyOfOther(words: readonly string[]): boolean {
  return words.length > 1 && words.at(-1) === 'key' && !SECRET_PAIRS.has(`${words.at(-2)} key`);
}

const PASSWORD_WORDS = new Set([
  'password',
  'passwd',
  'passwort',
  'kennwort',
  'pwd',
  'pw',
  'passphrase',
  'passcode',
  'pass',
  'psk',
  'requirepass',
]);

/** Returns true if it is chosen by people, so that even a short word can be one. */
export function isPasswordName(name: string): boolean {
  return wordsOf(name).some((word) => PASSWORD_WORDS.has(word) || PASSWORD_ENDS.test(word));
}

/** Names of values that look random and are not secrets. */
const PUBLIC_WORDS = new Set(
  'build checksum commit cursor digest etag fingerprint guid hash head id ids integrity md5 nonce oid public publishable ref rev revision sha sha1 sha256 sha512 sum tree trace traceparent span uid uuid url uri path file href src version'.split(
    ' ',
  ),
);

export function isPublicName(name: string): boolean {
  return wordsOf(name).some((word) => PUBLIC_WORDS.has(word));
}

function wordsOf(name: string): readonly string[] {
  return (name.match(WORDS) ?? []).map((word) => word.toLowerCase());
}
