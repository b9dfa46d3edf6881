import { isMapping } from '../findings/finding.ts';
import { entrySchema } from './entry-schema.ts';
import { typeOfEntry } from './entry-types.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** `defaults`: what an entry under `upstreams` may say, but for what makes it that entry: how it is reached, and its name. */
export const defaultsSchema = entrySchema
  .pick({
    env: true,
    cwd: true,
    inheritEnv: true,
    headers: true,
    share: true,
    restart: true,
    era: true,
    timeouts: true,
    maxConcurrency: true,
    tools: true,
    validation: true,
    pins: true,
    inferHints: true,
    instructions: true,
  })
  .optional()
  .describe(
    'Values for all upstreams; what an entry says itself wins. env, headers, timeouts and tools are merged key by key.',
  );

/** Keys that mean something only beside a command, and only where there is HTTP or a WebSocket. */
const OF_COMMANDS: ReadonlySet<string> = new Set(['env', 'cwd', 'inheritEnv']);
const WITH_HEADERS: ReadonlySet<string | undefined> = new Set(['http', 'sse', 'websocket', 'ide-rest']);

/**
 * Returns the value of a file in which entries have the values of `defaults`, as far as they say nothing else and the value
 * means something for their kind. `defaults` that have a fault are left alone: the fault is told where it stands.
 * @param file the whole file, of whatever shape
 */
export function withDefaults(file: unknown): unknown {
  if (!isMapping(file) || !isMapping(file.upstreams) || !isMapping(file.defaults)) return file;
  const { defaults, upstreams } = file;
  if (!defaultsSchema.safeParse(defaults).success) return file;
  const entries = Object.entries(upstreams).map(([key, entry]) => [
    key,
    isMapping(entry) ? merge(entry, defaults) : entry,
  ]);
  return { ...file, upstreams: Object.fromEntries(entries) };
}

function merge(entry: Mapping, defaults: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...entry };
  for (const [name, value] of Object.entries(defaults)) {
    if (!isFor(entry, name)) continue;
    const own = entry[name];
    if (own === undefined) merged[name] = name === 'headers' ? headers(value, {}, entry) : value;
    else if (isMapping(own) && isMapping(value))
      merged[name] = name === 'headers' ? headers(value, own, entry) : { ...value, ...own };
  }
  return merged;
}

function isFor(entry: Mapping, name: string): boolean {
  if (OF_COMMANDS.has(name)) return 'command' in entry;
  return name !== 'headers' || ('url' in entry && WITH_HEADERS.has(typeOfEntry(entry)));
}

/** Case does not count in names of headers. An entry with `auth` says itself how it proves who it is. */
function headers(byDefault: unknown, own: Mapping, { auth }: Mapping): unknown {
  if (!isMapping(byDefault)) return own;
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  if (auth !== undefined) names.add('authorization');
  const left = Object.entries(byDefault).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(left), ...own };
}
