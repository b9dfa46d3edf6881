import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.bigint()]).transform(String);
const named = z.record(z.string(), scalar);
const nameAndValue = z.object({ name: z.string(), value: scalar });
/** `NAME=value` for a variable, `Name: value` for a header; a variable's name alone hands it on. */
const listed = z.array(z.union([z.string(), nameAndValue]));
const texts = z.union([named, listed]).default({});
/** A text is a line of several arguments. */
const words = z.union([z.string(), z.array(scalar)]).default([]);
const seconds = z.number().positive().optional();
const milliseconds = z.number().positive().optional();
const names = z.array(z.string()).optional();

/** Reads what we know about an entry, as the agents spell it. Everything else is named, and not used. */
export const entrySchema = z
  .looseObject({
    type: z.string().optional(),
    transport: z.string().optional(),
    transportType: z.string().optional(),
    // opencode has the arguments in it. Zed had all of it under the command once.
    command: z.union([
      z.string(),
      z.array(scalar),
      z.looseObject({ path: z.string(), args: z.array(scalar).default([]), env: texts }),
    ]),
    args: words,
    env: texts,
    environment: texts,
    env_vars: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).default([]),
    envFile: z.string().optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    serverUrl: z.string().optional(),
    httpUrl: z.string().optional(),
    headers: texts,
    http_headers: texts,
    env_http_headers: named.default({}),
    bearer_token_env_var: z.string().optional(),
    disabled: z.boolean().optional(),
    enabled: z.boolean().optional(),
    // A list of names at GitHub Copilot; other agents have other things under it.
    tools: z.unknown().optional(),
    enabled_tools: names,
    includeTools: names,
    disabled_tools: names,
    disabledTools: names,
    excludeTools: names,
    startup_timeout_sec: seconds,
    startup_timeout_ms: milliseconds,
    tool_timeout_sec: seconds,
    // Each agent means another time by a number here; opencode's newer form says which.
    timeout: z.unknown().optional(),
    oauth: z.unknown().optional(),
    auth: z.unknown().optional(),
    // A key of Codex, beside `oauth`.
    scopes: z.unknown().optional(),
    // The origin of an entry in Zed. An entry from an extension has no command.
    source: z.string().optional(),
  })
  .partial({ command: true });

/** An entry as it was read, with one form for each member. */
export type AgentEntry = z.output<typeof entrySchema>;

export const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(entrySchema.shape));

/** Returns the value without members and items that are null: they mean that nothing is there. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNull(member)]));
}
