import { z } from 'zod';
import { configKey, factsOf } from '../../core/settings/config-key.ts';
import type { TransportTable } from '../../upstream/transports/manifests/transport-table.ts';
import { globs, headerName, headerText, portList, processText, scalarText, wholeNumber } from '../field-schemas.ts';
import { authSchema } from './auth-schema.ts';
import { commandProblem } from './command-line.ts';
import { timeoutsSchema } from './timeouts-schema.ts';
import { tlsSchema } from './tls-schema.ts';
import { upstreamUrl } from './upstream-url.ts';

export const UPSTREAM_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

const environmentName = z.string().regex(/^[^=\0]+$/, { error: 'not a name that an environment variable can have' });

const toolsSchema = z
  .strictObject({
    allow: configKey(globs(['*']), {
      meaning: 'Globs of tool names, as the upstream calls them, that clients may see.',
      more: 'Put a glob that begins with `*` in quotes.',
      value: 'list of globs',
    }),
    deny: configKey(globs([]), {
      meaning: 'Globs of tool names that clients never see. They win over `allow`.',
      value: 'list of globs',
    }),
  })
  .prefault({});

const FOREIGN_ALLOW = { names: ['enabled_tools', 'includeTools'], hint: 'use tools: { allow: [...] }' };
const FOREIGN_DENY = {
  names: ['disabled_tools', 'excludeTools', 'disabledTools'],
  hint: 'use tools: { deny: [...] }',
};

/** The keys that tell how an upstream is started or reached. */
const addressShape = (transports: TransportTable) => ({
  command: configKey(processText.min(1).optional(), {
    meaning: 'Program that speaks MCP on stdin and stdout.',
    value: 'text',
    byDefault: 'this or `url`',
    takesVariables: true,
    explain: (value) => (Array.isArray(value) ? { hint: 'put the program here, the rest in args' } : undefined),
    rule: commandProblem,
  }),
  args: configKey(z.array(scalarText).default([]), {
    meaning: 'Arguments of the program.',
    more: 'Numbers, `true` and `false` are taken as the text you wrote: `1.10` stays `1.10`.',
    value: 'list of texts',
    takesVariables: true,
    explain: (value) =>
      typeof value === 'string' ? { hint: 'one item an argument: args: [-y, some-server]' } : undefined,
  }),
  env: configKey(z.record(environmentName, scalarText).default({}), {
    meaning: 'Environment variables in addition to the allow-list (`PATH`, `HOME`, `LANG` and the like).',
    more: 'Numbers, `true` and `false` are taken as text here, too.',
    value: 'name → text',
    takesVariables: true,
    secret: 'variable',
    isDefaultable: true,
    foreign: [
      { names: ['envFile'], hint: 'put the variables under env' },
      { names: ['environment'], hint: 'it is called env here' },
    ],
    explain: (value) => (Array.isArray(value) ? { hint: 'one line a variable: NAME: value' } : undefined),
  }),
  cwd: configKey(processText.min(1).optional(), {
    meaning: 'Folder in which the program runs. Relative folders start at the folder of this file.',
    more: '`~/` is your home folder.',
    value: 'folder',
    byDefault: 'the folder of the file',
    takesVariables: true,
    isDefaultable: true,
    foreign: [{ names: ['workingDirectory'], hint: 'it is called cwd here' }],
  }),
  inheritEnv: configKey(z.boolean().default(false), {
    meaning: "Pass the gateway's whole environment to the program instead of the allow-list.",
    isDefaultable: true,
  }),
  url: configKey(upstreamUrl(transports).optional(), {
    meaning: 'Address of a server that is already running. It must not contain a user or password: use `headers`.',
    value: 'url, see below',
    byDefault: 'this or `command`',
    example: 'https://mcp.example.com/mcp',
    takesVariables: true,
    foreign: [{ names: ['serverUrl', 'httpUrl'], hint: 'it is called url here' }],
  }),
  headers: configKey(z.record(headerName, headerText).default({}), {
    meaning: 'Headers of each request to the url, such as `Authorization`; over WebSocket, headers of the handshake.',
    more: 'Not for `tcp` and `unix`.',
    value: 'name → text',
    takesVariables: true,
    secret: 'header',
    isDefaultable: true,
    explain: (value) => (Array.isArray(value) ? { hint: 'one line a header: Name: value' } : undefined),
  }),
  tls: tlsSchema,
  auth: configKey(authSchema.optional(), {
    meaning:
      'How to get an access token for the url. If it is absent: OAuth, when the server asks for it and `headers` have no `Authorization`.',
    value: '`none` or a mapping, see below',
    takesVariables: true,
  }),
  ports: configKey(portList.optional(), {
    meaning: 'Ports of this machine on which to look for the plug-in of an IDE.',
    more: 'See below.',
    value: 'port, list or range',
    byDefault: 'this or `url`',
    example: '9960-9990',
  }),
  workspace: configKey(processText.min(1).optional(), {
    meaning: "Folder that selects the window if `ports` lead to several windows; by default, the client's own folder.",
    value: 'folder',
    byDefault: "the client's folder",
    takesVariables: true,
  }),
});

/** The keys that tell how an upstream is presented and treated, however it is reached. */
const treatmentShape = {
  prefix: configKey(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{0,40}$/, { error: 'must have at most 40 letters, digits, _ and -' })
      .optional(),
    {
      meaning: 'Text in front of the names of tools and prompts, followed by `_`. With `""`, names are unchanged.',
      value: 'up to 40 letters, digits, `_`, `-`',
      byDefault: 'the name of the entry',
    },
  ),
  disabled: configKey(z.boolean().default(false), {
    meaning: 'Keep the entry in the file, but do not run it.',
    foreign: [{ names: ['enabled'], hint: 'use disabled: true or disabled: false' }],
  }),
  share: configKey(z.enum(['auto', 'gateway', 'session', 'folder']).default('auto'), {
    meaning:
      'Which clients share a process or HTTP session: all clients (`gateway`), none (`session`), clients that work in the same folder (`folder`), or all clients until the server asks one of them by elicitation or sampling; from then on, each new client gets its own (`auto`).',
    isDefaultable: true,
  }),
  restart: configKey(z.enum(['always', 'on-demand', 'never']).default('always'), {
    meaning: 'When to start the process, or connect to the url, again after it has ended.',
    isDefaultable: true,
  }),
  start: configKey(z.enum(['lazy', 'eager']).optional(), {
    meaning:
      'When to start the server if its lists are known from an earlier run: with the first call (`lazy`) or with the gateway (`eager`).',
    more: 'See below.',
    byDefault: '`lazy` for a `command`, `eager` for a `url`',
    isDefaultable: true,
  }),
  idleStopMs: configKey(wholeNumber(0, 86_400_000).default(600_000), {
    meaning: 'Milliseconds without use after which a `lazy` server is stopped until the next call; `0` means never.',
    more: 'See below.',
    isDefaultable: true,
  }),
  stateless: configKey(z.boolean().default(false), {
    meaning:
      'The server keeps nothing between calls, so it may be stopped although a client that has called it is still connected.',
    isDefaultable: true,
  }),
  era: configKey(z.enum(['auto', 'legacy', '2026-07-28']).default('auto'), {
    meaning: 'Which protocol the server speaks: detected, opened with `initialize`, or this revision.',
    more: 'See below.',
    isDefaultable: true,
  }),
  timeouts: timeoutsSchema,
  maxConcurrency: configKey(wholeNumber(1, 10_000).default(64), {
    meaning: 'Maximum number of simultaneous calls. More calls wait in order.',
    isDefaultable: true,
  }),
  tools: configKey(toolsSchema, {
    meaning: 'Which tools of this upstream clients get.',
    isDefaultable: true,
    foreign: [FOREIGN_ALLOW, FOREIGN_DENY],
  }),
  validation: configKey(z.enum(['off', 'warn', 'enforce']).default('warn'), {
    meaning:
      "What to do when a call's arguments do not match the tool's schema: nothing, log it, or refuse the call. Unless it is `off`, results are checked against the output schema, too.",
    isDefaultable: true,
  }),
  pins: configKey(z.enum(['off', 'warn', 'enforce']).default('warn'), {
    meaning:
      'What to do with tools that are new or have changed since you approved them: nothing, log it, or withhold them.',
    more: 'See below.',
    isDefaultable: true,
  }),
  inferHints: configKey(z.boolean().default(false), {
    meaning: 'Derive missing `readOnlyHint` and `destructiveHint` annotations from the name of the tool.',
    isDefaultable: true,
  }),
  instructions: configKey(z.boolean().default(false), {
    meaning: "Pass the upstream's instructions on to clients.",
    isDefaultable: true,
  }),
};

const typeKey = ({ spellings }: TransportTable) =>
  configKey(z.enum(spellings).optional(), {
    meaning:
      'How the server is reached. It can be left out: an entry with a `command` is `stdio`, the scheme of a `url` tells the type, and `ports` mean `ide-rest`.',
    value: 'see below',
  });

const entryShape = (transports: TransportTable) => ({
  ...addressShape(transports),
  ...treatmentShape,
  type: typeKey(transports),
});

/**
 * Returns the schema of an entry under `upstreams`, without its name. `checkAddresses` checks that it has one address, and
 * which keys go with it.
 */
export function entrySchema(transports: TransportTable) {
  const schema = z
    .strictObject(entryShape(transports))
    .meta({ oneOf: transports.addressKeys.map((key) => ({ required: [key] })) });
  return configKey(schema, {
    meaning: 'An MCP server behind the gateway.',
    unused: ['autoApprove', 'alwaysAllow', 'description', 'name', 'icon', 'trust', 'gallery'],
    explain: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? undefined
        : { hint: 'an entry needs at least a command or a url' },
  });
}

/** Returns the part of an entry that may be under `defaults`. */
export function defaultableShape(transports: TransportTable): z.core.$ZodShape {
  return Object.fromEntries(
    Object.entries(entryShape(transports)).filter(([, schema]) => factsOf(schema)?.isDefaultable === true),
  );
}

export type EntryFile = z.output<ReturnType<typeof entrySchema>>;
