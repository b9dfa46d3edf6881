import { z } from 'zod';
import { configKey } from '../../core/settings/config-key.ts';
import type { TransportTable } from '../../upstream/transports/manifests/transport-table.ts';
import { isMapping } from '../findings/finding.ts';
import { defaultableShape } from './entry-schema.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Returns the schema of the section `defaults`. */
export function defaultsSchema(transports: TransportTable) {
  return configKey(z.strictObject(defaultableShape(transports)).optional(), {
    meaning:
      'Values for all upstreams. The values of an entry itself win. `env`, `headers`, `timeouts` and `tools` are merged key by key.',
    value: 'mapping',
    more: 'See below.',
  });
}

/**
 * Returns the value of a file in which entries have the values of `defaults`, unless they have their own or the value means
 * nothing for their transport. `defaults` with a fault are not used: the fault is reported where it is.
 * @param file the whole file, of any shape
 * @param transports say which keys mean something for which entry
 */
export function withDefaults(file: unknown, transports: TransportTable): unknown {
  if (!isMapping(file) || !isMapping(file.upstreams) || !isMapping(file.defaults)) return file;
  const { defaults, upstreams } = file;
  if (!defaultsSchema(transports).safeParse(defaults).success) return file;
  const entries = Object.entries(upstreams).map(([key, entry]) => [
    key,
    isMapping(entry) ? merge(entry, defaults, transports) : entry,
  ]);
  return { ...file, upstreams: Object.fromEntries(entries) };
}

function merge(entry: Mapping, defaults: Mapping, transports: TransportTable): Mapping {
  const merged: Record<string, unknown> = { ...entry };
  for (const [name, value] of Object.entries(defaults)) {
    if (!transports.takes(entry, name)) continue;
    const own = entry[name];
    if (own === undefined) merged[name] = name === 'headers' ? headers(value, {}, entry) : value;
    else if (isMapping(own) && isMapping(value))
      merged[name] = name === 'headers' ? headers(value, own, entry) : { ...value, ...own };
  }
  return merged;
}

/**
 * Merges headers. Names that differ in case only are the same. An entry with `auth` gets no default `Authorization`.
 */
function headers(byDefault: unknown, own: Mapping, { auth }: Mapping): unknown {
  if (!isMapping(byDefault)) return own;
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  if (auth !== undefined) names.add('authorization');
  const left = Object.entries(byDefault).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(left), ...own };
}
