import { z } from 'zod';
import { parseJsonc } from '../../config/jsonc.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const names = z.array(z.string()).optional();

/** What we read of an entry. Everything else is named, and left out. */
const entrySchema = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  args: z.array(scalar).default([]),
  env: z.record(z.string(), scalar).default({}),
  cwd: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: z.record(z.string(), scalar).default({}),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  enabled_tools: names,
  includeTools: names,
  disabled_tools: names,
  disabledTools: names,
  excludeTools: names,
});

const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(entrySchema.shape));

/** One server of an agent's config, in one form whatever agent it is of. */
export interface AgentEntry {
  readonly name: string;
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** Present for a server that is reached over the network. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What it calls the way in which the server is reached. */
  readonly type: string | undefined;
  readonly disabled: boolean;
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[] | undefined;
  /** Keys that mean nothing here. */
  readonly ignored: readonly string[];
}

/** The file is none that servers can be taken over from. */
export class AgentFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AgentFileError';
  }
}

/**
 * The servers in the text of an agent's config: JSON with `mcpServers`, `servers`, or the latter under `mcp`.
 * @throws AgentFileError that says what is wrong with it; it quotes no value
 */
export function readAgentFile(text: string): AgentEntry[] {
  const servers = serversIn(parse(text));
  if (servers === undefined) throw new AgentFileError('there is no "mcpServers" and no "servers" in it');
  return Object.entries(servers).map(([name, value]) => readEntry(name, value));
}

function parse(text: string): unknown {
  try {
    return parseJsonc(text);
  } catch {
    // The parser's own words quote the text, and with it perhaps a secret.
    throw new AgentFileError('it is not JSON. Servers are taken over from JSON files only; write others by hand');
  }
}

function serversIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const { mcpServers, servers, mcp } = asObject(value) ?? {};
  return asObject(mcpServers) ?? asObject(servers) ?? asObject(asObject(mcp)?.servers);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function readEntry(name: string, value: unknown): AgentEntry {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) {
    const at = parsed.error.issues[0]!;
    throw new AgentFileError(`the server ${JSON.stringify(name)} cannot be read: ${at.path.join('.')}: ${at.message}`);
  }
  const entry = parsed.data;
  return {
    name,
    command: entry.command,
    args: entry.args,
    env: entry.env,
    cwd: entry.cwd,
    headers: entry.headers,
    type: entry.type,
    url: entry.url ?? entry.serverUrl ?? entry.httpUrl,
    disabled: entry.disabled === true || entry.enabled === false,
    allow: entry.enabled_tools ?? entry.includeTools,
    deny: entry.disabled_tools ?? entry.disabledTools ?? entry.excludeTools,
    ignored: Object.keys(entry).filter((key) => !KNOWN_KEYS.has(key)),
  };
}
