import { createHash } from 'node:crypto';

/** A token as `viaduct token create` would make one, by its name, and its entry in a config. */
export function tokenOf(name: string, more: object = {}): { token: string; entry: object; headers: Headers } {
  const token = `vdt_${createHash('sha256').update(`test ${name}`).digest('base64url')}`;
  const hash = `sha256:${createHash('sha256').update(token).digest('hex')}`;
  return { token, entry: { name, hash, ...more }, headers: { authorization: `Bearer ${token}` } };
}

type Headers = Readonly<Record<'authorization', string>>;
