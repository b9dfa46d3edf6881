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
const PASSWORD_ENDS = /(?:password|passwd|passphrase)$/;

/** Whether what has this name (of a variable, a header, a JSON member) is a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (ABOUT_WORDS.has(words.at(-1) ?? '')) return false;
  return words.some(
    (word, index) =>
      SECRET_WORDS.has(word) || SECRET_PAIRS.has(`${word} ${words[index + 1]}`) || PASSWORD_ENDS.test(word),
  );
}

const PASSWORD_WORDS = new Set(['password', 'passwd', 'passwort', 'pwd', 'passphrase', 'passcode', 'pass']);

/** Whether it is chosen by people, so that even a short word can be one. */
export function isPasswordName(name: string): boolean {
  return wordsOf(name).some((word) => PASSWORD_WORDS.has(word) || PASSWORD_ENDS.test(word));
}

/** Names of what looks random and is none of anybody's secrets. */
const PUBLIC_WORDS = new Set(
  'checksum commit cursor digest etag fingerprint guid hash head id ids integrity md5 nonce oid ref rev revision sha sha1 sha256 sha512 sum tree trace traceparent span uid uuid url uri path file href src version'.split(
    ' ',
  ),
);

export function isPublicName(name: string): boolean {
  return wordsOf(name).some((word) => PUBLIC_WORDS.has(word));
}

function wordsOf(name: string): readonly string[] {
  return (name.match(WORDS) ?? []).map((word) => word.toLowerCase());
}
