import { z } from 'zod';
import { AgentFileError } from './agent-text.ts';
import { ourReferences, type ReferenceMeaning } from './references.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.bigint()]).transform(String);
const texts = z.record(z.string(), scalar.nullable()).transform(withoutNull).default({});
const names = z.array(z.string()).optional();
const seconds = z.number().positive().optional();

/** What we read of an entry, as the agents spell it. Everything else is named, and not used. */
const entrySchema = z
  .looseObject({
    type: z.string().optional(),
    // Zed had all of it under the command once.
    command: z.union([z.string(), z.looseObject({ path: z.string(), args: z.array(scalar).default([]), env: texts })]),
    args: z.array(scalar).default([]),
    env: texts,
    env_vars: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).default([]),
    envFile: z.string().optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    serverUrl: z.string().optional(),
    httpUrl: z.string().optional(),
    headers: texts,
    http_headers: texts,
    env_http_headers: texts,
    bearer_token_env_var: z.string().optional(),
    disabled: z.boolean().optional(),
    enabled: z.boolean().optional(),
    enabled_tools: names,
    includeTools: names,
    disabled_tools: names,
    disabledTools: names,
    excludeTools: names,
    startup_timeout_sec: seconds,
    startup_timeout_ms: z.number().positive().optional(),
    tool_timeout_sec: seconds,
    // Where Zed has an entry from. One that an extension brings has no command.
    source: z.string().optional(),
  })
  .partial({ command: true });

const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(entrySchema.shape));

/** One server of an agent, in one form whatever agent it is of, with references as our config has them. */
export interface AgentServer {
  readonly name: string;
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file with more variables. */
  readonly envFile: string | undefined;
  readonly cwd: string | undefined;
  /** Present for a server that is reached over the network. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What it calls the way in which the server is reached. */
  readonly type: string | undefined;
  readonly disabled: boolean;
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[] | undefined;
  readonly connectMs: number | undefined;
  readonly callMs: number | undefined;
  /** Keys that mean nothing here. */
  readonly unused: readonly string[];
  /** The entry as it stands there. */
  readonly raw: unknown;
}

/** @throws AgentFileError that names the server and what is wrong with it; it quotes no value */
export function readAgentServer(name: string, raw: unknown, meaning: ReferenceMeaning): AgentServer {
  const parsed = entrySchema.safeParse(withoutNull(raw));
  if (!parsed.success) throw new AgentFileError(faultOf(name, parsed.error.issues[0]!));
  const entry = parsed.data;
  const ours = (text: string): string => ourReferences(text, meaning);
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  return {
    name,
    raw,
    ...processOf(entry, ours),
    envFile: optional(entry.envFile, ours),
    cwd: optional(entry.cwd, ours),
    url: optional(url, ours),
    headers: headersOf(entry, ours),
    type: entry.type,
    disabled: entry.disabled === true || entry.enabled === false,
    allow: entry.enabled_tools ?? entry.includeTools,
    deny: entry.disabled_tools ?? entry.disabledTools ?? entry.excludeTools,
    connectMs: inMilliseconds(entry.startup_timeout_sec) ?? entry.startup_timeout_ms,
    callMs: inMilliseconds(entry.tool_timeout_sec),
    unused: Object.keys(entry).filter((key) => !KNOWN_KEYS.has(key)),
  };
}

type Entry = z.output<typeof entrySchema>;
type Spell = (text: string) => string;

function processOf(
  { command, args, env, env_vars }: Entry,
  ours: Spell,
): Pick<AgentServer, 'command' | 'args' | 'env'> {
  const old = typeof command === 'object' ? command : undefined;
  const handedOn = env_vars.map((variable) => (typeof variable === 'string' ? variable : variable.name));
  return {
    command: optional(old?.path ?? (command as string | undefined), ours),
    args: [...(old?.args ?? []), ...args].map(ours),
    env: {
      ...Object.fromEntries(handedOn.map((variable) => [variable, `\${${variable}}`])),
      ...mapTexts({ ...old?.env, ...env }, ours),
    },
  };
}

/** Codex names variables for headers, and one for the token. */
function headersOf({ headers, http_headers, env_http_headers, bearer_token_env_var }: Entry, ours: Spell) {
  return {
    ...(bearer_token_env_var !== undefined && { Authorization: `Bearer \${${bearer_token_env_var}}` }),
    ...mapTexts({ ...headers, ...http_headers }, ours),
    ...mapTexts(env_http_headers, (variable) => `\${${variable}}`),
  };
}

function mapTexts(values: Readonly<Record<string, string>>, change: Spell): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

function optional(text: string | undefined, change: Spell): string | undefined {
  return text === undefined ? undefined : change(text);
}

function inMilliseconds(inSeconds: number | undefined): number | undefined {
  return inSeconds === undefined ? undefined : Math.round(inSeconds * 1000);
}

/** A member that is null is one that is not there. */
function withoutNull<T>(value: T): T extends Record<string, infer V> ? Record<string, NonNullable<V>> : T;
function withoutNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function faultOf(name: string, issue: z.core.$ZodIssue): string {
  const at = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  const message = issue.code === 'invalid_union' ? 'it is none of the forms that are known' : issue.message;
  return `the server ${JSON.stringify(name)} cannot be read: ${at}${message}`;
}
