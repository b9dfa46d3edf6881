import { createHash } from 'node:crypto';

const HASH_LENGTH = 8;
/**
 * The length of the hash in names whose head is like that of another upstream's. An upstream can search 32 bits for an own
 * name that gives the same public name as the other one's tool; it cannot search 64 bits.
 */
const LONG_HASH_LENGTH = 16;
const HASH_TAIL = /_[0-9a-f]{8}(?:[0-9a-f]{8})?$/;
const LEGAL = /^[A-Za-z0-9_-]+$/;

export interface NamingRules {
  readonly maxLength: number;
  /** The prefixes of all upstreams: a name that begins with one belongs to that upstream. */
  readonly prefixes: readonly string[];
  /** Names of the gateway's own tools and prompts. */
  readonly reserved: ReadonlySet<string>;
}

/** The reason why a tool or prompt has another name than `<prefix>_<name>`. */
export type RenameReason = 'too-long' | 'illegal' | 'reserved' | 'hash-like' | 'foreign';

/**
 * Returns the name under which clients see an upstream's tool or prompt: `<prefix>_<name>` if that is legal and free.
 * Any other name gets a readable start and a hash at the end. The name depends only on the config and on the upstream's
 * own name, so it is the same after every restart, regardless of the order in which upstreams start.
 */
export function publicName(prefix: string, ownName: string, rules: NamingRules): string {
  const plain = plainName(prefix, ownName);
  return renameReason(prefix, ownName, rules) === undefined ? plain : hashed(plain, prefix, ownName, rules);
}

/** Returns the name that an upstream's tool or prompt has where `publicName` gives another one of the same upstream that name too. */
export function longName(prefix: string, ownName: string, { maxLength }: NamingRules): string {
  return hashedName(plainName(prefix, ownName), prefix, ownName, maxLength)(LONG_HASH_LENGTH);
}

/** `<prefix>_<name>`, whether or not it can be used. */
export function plainName(prefix: string, ownName: string): string {
  return prefix === '' ? ownName : `${prefix}_${ownName}`;
}

/** Returns the first rule that `<prefix>_<name>` breaks; `undefined` if it is used as it is. */
export function renameReason(prefix: string, ownName: string, rules: NamingRules): RenameReason | undefined {
  const plain = plainName(prefix, ownName);
  if (plain.length > rules.maxLength) return 'too-long';
  if (!LEGAL.test(plain)) return 'illegal';
  if (rules.reserved.has(plain)) return 'reserved';
  if (hasHashTail(plain)) return 'hash-like';
  return isForeign(plain, prefix, rules.prefixes) ? 'foreign' : undefined;
}

/**
 * Returns true if a name looks like one that was made with a hash. An upstream's own name that does is hashed too, so
 * that no upstream can take over the made name of another.
 */
export function hasHashTail(name: string): boolean {
  return HASH_TAIL.test(name);
}

/**
 * Returns true if a longer prefix owns the name: with prefixes `a` and `a_b`, `a_b_c` belongs to `a_b`, even if `a` has
 * a tool `b_c`.
 */
function isForeign(name: string, prefix: string, prefixes: readonly string[]): boolean {
  return prefixes.some((other) => other.length > prefix.length && name.startsWith(`${other}_`));
}

function hashed(plain: string, prefix: string, ownName: string, { maxLength, prefixes }: NamingRules): string {
  const withHash = hashedName(plain, prefix, ownName, maxLength);
  const short = withHash(HASH_LENGTH);
  return hasForeignHead(short, prefix, { prefixes, maxLength }) ? withHash(LONG_HASH_LENGTH) : short;
}

/** Returns what makes the name with a hash of a given length. */
function hashedName(plain: string, prefix: string, ownName: string, maxLength: number): (length: number) => string {
  // Lone surrogates would all become the same character on their way into bytes.
  const exact = ownName.isWellFormed() ? ownName : `\0${JSON.stringify(ownName)}`;
  const hash = createHash('sha256').update(`${prefix}\0${exact}`).digest('hex');
  const head = plain.replace(/[^A-Za-z0-9_-]+/g, '_');
  return (length) => `${head.slice(0, maxLength - length - 1)}_${hash.slice(0, length)}`;
}

/** Returns whether another upstream can have a name with this head and a short hash. A long prefix is cut like the rest of the head. */
function hasForeignHead(name: string, prefix: string, rules: Omit<NamingRules, 'reserved'>): boolean {
  const headOf = (other: string) => (other === '' ? '' : `${other}_`).slice(0, rules.maxLength - HASH_LENGTH - 1);
  return rules.prefixes.some(
    (other) => other !== prefix && other.length >= prefix.length && name.startsWith(headOf(other)),
  );
}

/** Finds the owner of the prefix that a public name begins with. The longest prefix counts; `''` begins every name. */
export function ownerOf<Owner extends { readonly prefix: string }>(
  name: string,
  owners: readonly Owner[],
): Owner | undefined {
  return owners
    .filter(({ prefix }) => prefix === '' || name.startsWith(`${prefix}_`))
    .reduce<Owner | undefined>(
      (best, next) => (best !== undefined && best.prefix.length >= next.prefix.length ? best : next),
      undefined,
    );
}

/** Returns the owner's own name in a public name that begins with its prefix. */
export function withoutPrefix({ prefix }: { readonly prefix: string }, name: string): string {
  return prefix === '' ? name : name.slice(prefix.length + 1);
}
