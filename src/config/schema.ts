import { z } from 'zod';
import type { Permissions } from '../core/access/permissions.ts';
import type { ListenAddress } from '../core/addresses/listen-address.ts';
import { configKey, type KeyFacts } from '../core/settings/config-key.ts';
import { type ModelsOptions, modelsOptions } from '../core/settings/models-options.ts';
import type { UpstreamEntry } from '../core/settings/upstream-entry.ts';
import type { WorkspaceSettings } from '../core/settings/workspace-settings.ts';
import type { EngineTable } from '../store/database/engines/engine-table.ts';
import { ENGINES } from '../store/database/engines/index.ts';
import { TRANSPORTS } from '../upstream/transports/manifests/index.ts';
import type { TransportTable } from '../upstream/transports/manifests/transport-table.ts';
import { databaseUrl, processText, wholeNumber } from './field-schemas.ts';
import { quoted } from './findings/quoted.ts';
import { profilesSchema } from './profiles/profile-schema.ts';
import { auditSchema } from './server/audit-schema.ts';
import { type GatewayConfig, gatewaySchema } from './server/gateway-schema.ts';
import { logFileProblem } from './server/log-file.ts';
import { serverSchema } from './server/server-schema.ts';
import type { BrokenEntry } from './upstreams/broken-entry.ts';
import { defaultsSchema } from './upstreams/defaults.ts';
import { entrySchema, UPSTREAM_KEY } from './upstreams/entry-schema.ts';
import { workspaceSchema } from './workspace/workspace-schema.ts';

/** The only version of the file's shape that this build reads. */
export const SCHEMA_VERSION = 1;

/** The content of a config file, with every default filled in and every `${VAR}` replaced. */
export interface Config {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly enabledWorkflows: readonly string[];
  /** The gateway that clients of `viaduct stdio` get. */
  readonly gateway: GatewayConfig;
  readonly server: ServerConfig;
  /** The upstreams that run, in the order of the file. */
  readonly upstreams: readonly UpstreamEntry[];
  /** Entries with `disabled: true`, in the order of the file. A `${VAR}` that is not set stays unchanged in them. */
  readonly disabled: readonly UpstreamEntry[];
  /** Entries that have a fault, so that they do not run; none in a config that `parseConfig` gives. */
  readonly broken: readonly BrokenEntry[];
  /** Keys of all entries, in the order of the file. */
  readonly order: readonly string[];
  /** The permissions of clients by the name of their profile. */
  readonly profiles: Readonly<Record<string, Permissions>>;
  /** Options of each workflow that is enabled or has a section, as its own schema gives them. */
  readonly workflows: Readonly<Record<string, unknown>>;
  /** Options of each policy that has options, as its own schema gives them. */
  readonly policies: Readonly<Record<string, unknown>>;
  /** Url of the database of all stores. Without it, they are in SQLite, in the gateway's own folder. */
  readonly database?: string | undefined;
  /** The language models that workflows use. */
  readonly models: ModelsOptions;
  readonly workspace: WorkspaceSettings;
  readonly names: { readonly maxLength: number };
  readonly lists: { readonly graceMs: number };
  readonly limits: LimitsConfig;
  readonly log: {
    readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
    /** Absolute. */
    readonly file?: string | undefined;
  };
  readonly audit: AuditConfig;
  /** Texts that must never be shown, the longest first, so that masking one never uncovers the rest of another. */
  readonly secrets: readonly string[];
  /** Names of the variables in `${VAR}` of everything but the entries that are switched off, in alphabetical order. */
  readonly variables: readonly string[];
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** Address for clients that speak JSON-RPC in lines. */
  readonly tcp?: ListenAddress | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly nameInResults: boolean;
  /** The tokens that clients may use. Without the list, no token is needed; an empty list refuses every client. */
  readonly tokens?: readonly TokenConfig[] | undefined;
  readonly oauth?: OAuthConfig | undefined;
  /** Absolute. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly behindProxy: boolean;
  /** Absent if the address decides. */
  readonly sessionless?: boolean | undefined;
}

/** One bearer token: what its clients may see, and until when. */
export interface TokenConfig {
  readonly name: string;
  /** `sha256:` and the digest in hexadecimal. */
  readonly hash: string;
  /** The permissions of its clients; all if it is absent. */
  readonly access?: Permissions | undefined;
  readonly expires?: string | undefined;
}

export interface OAuthConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl?: string | undefined;
  readonly scopes: readonly string[];
  readonly requiredScopes: readonly string[];
  readonly clockSkewSeconds: number;
}

export interface AuditConfig {
  readonly enabled: boolean;
  readonly arguments: 'digest' | 'redacted' | 'off';
  /** Absolute; in the gateway's own folder if absent. */
  readonly file?: string | undefined;
  readonly maxMegabytes: number;
  readonly files: number;
  readonly keepDays: number;
}

export interface LimitsConfig {
  readonly frameBytes: number;
  readonly bodyBytes: number;
  readonly calls: number;
  readonly callsPerClient: number;
  readonly requestsPerMinute: number;
  readonly connectionsPerAddress: number;
  /** Twice the number of processor cores if absent. */
  readonly startsAtOnce?: number | undefined;
}

/** The parts of the file that depend on what this build has. */
export interface ConfigShapes {
  readonly knownWorkflows: readonly string[];
  /** The strict schema of the options of each workflow that has options, with defaults. */
  readonly workflowOptions: Readonly<Record<string, z.ZodType>>;
  /** The strict schema of the options of each policy that has options, with defaults; none if absent. */
  readonly policyOptions?: Readonly<Record<string, z.ZodType>> | undefined;
  /** The ways in which upstreams are reached; those of this build if absent. */
  readonly transports?: TransportTable | undefined;
  /** The databases that the stores can be in; those of this build if absent. */
  readonly engines?: EngineTable | undefined;
}

export type ConfigFile = z.output<ReturnType<typeof configFileSchema>>;

/** Returns the schema of the file, before `${VAR}`, prefixes and folders are resolved. */
export function configFileSchema({
  knownWorkflows,
  workflowOptions,
  policyOptions = {},
  transports = TRANSPORTS,
  engines = ENGINES,
}: ConfigShapes) {
  return z.strictObject({
    schemaVersion: configKey(z.literal(SCHEMA_VERSION), {
      meaning: 'Version of the format of this file. This build reads version 1.',
      value: '`1`',
      byDefault: 'required',
      explain: (value) => (value === undefined ? { hint: 'begin the file with "schemaVersion: 1"' } : undefined),
    }),
    enabledWorkflows: configKey(z.array(workflowName(knownWorkflows)).default([]), {
      meaning: 'Built-in workflows to enable. No code of the others runs.',
      value: 'list of names',
    }),
    gateway: gatewaySchema,
    server: serverSchema,
    defaults: defaultsSchema(transports),
    upstreams: upstreamsSchema(transports),
    profiles: profilesSchema,
    workflows: workflowsSchema(workflowOptions),
    ...policiesSection(policyOptions),
    database: databaseKey(engines),
    models: modelsOptions,
    workspace: workspaceSchema,
    names: namesSchema,
    lists: listsSchema,
    limits: limitsSchema,
    log: logSchema,
    audit: auditSchema,
  });
}

const workflowName = (known: readonly string[]) =>
  configKey(z.enum(known), {
    meaning: 'A workflow.',
    explain: (value) => (typeof value === 'string' ? { message: `there is no workflow ${quoted(value)}` } : undefined),
  });

const UPSTREAMS: KeyFacts = {
  meaning: 'The MCP servers behind the gateway, each under a name of your choice.',
  value: 'name → entry',
  foreign: [
    {
      names: ['mcpServers', 'mcp_servers', 'mcp-servers', 'servers', 'context_servers'],
      message: 'this key is called "upstreams" here',
      hint: 'rename it to upstreams; its entries can be pasted as they are',
    },
  ],
  explain: (value) =>
    Array.isArray(value) ? { hint: 'each entry is under its name: "name: { command: … }"' } : undefined,
};

const upstreamsSchema = (transports: TransportTable) =>
  configKey(
    z
      // The pattern is for editors only: Zod would not check the entry of a bad key, see `checkUpstreams`.
      .record(z.string().meta({ pattern: UPSTREAM_KEY.source }), entrySchema(transports))
      .default({}),
    UPSTREAMS,
  );

function workflowsSchema(options: ConfigShapes['workflowOptions']) {
  const shape = Object.entries(options).map(([name, schema]) => [name, schema.optional()] as const);
  return configKey(z.strictObject(Object.fromEntries(shape)).prefault({}), {
    meaning: 'Options of the workflows. A workflow without a section gets its defaults.',
    more: 'They are described in [WORKSPACE.md](WORKSPACE.md), [CHECKPOINTS.md](CHECKPOINTS.md), [KNOWLEDGE.md](KNOWLEDGE.md), [WEBVIEW.md](WEBVIEW.md), [XCODE_IDE_MCPBRIDGE.md](XCODE_IDE_MCPBRIDGE.md) and [VSCODE_IDE.md](VSCODE_IDE.md).',
    value: 'name → options',
    byDefault: '`{}`',
  });
}

const databaseKey = (engines: EngineTable) =>
  configKey(databaseUrl(engines).optional(), {
    meaning: `Url of the ${engines.names.join(' or ')} database in which all data is kept, instead of a ${engines.byDefault.name} file in \`$VIADUCT_HOME\`.`,
    value: `${engines.beginnings.map((beginning) => `\`${beginning}\``).join(' or ')} url`,
    byDefault: engines.byDefault.name,
    takesVariables: true,
    secret: 'url',
    passwordsIn: (url) => engines.passwordsIn(url),
  });

type PoliciesSchema = z.ZodType<Config['policies'] | undefined>;

/** Returns the section `policies`: there is none if no policy has options. */
function policiesSection(options: Readonly<Record<string, z.ZodType>>): { policies: PoliciesSchema } {
  const shape = Object.entries(options).map(([name, schema]) => [name, schema.prefault({})] as const);
  if (shape.length === 0) return {} as ReturnType<typeof policiesSection>;
  const policies = configKey(z.strictObject(Object.fromEntries(shape)).prefault({}), {
    meaning: 'Options of the policies, which every call passes.',
    value: 'name → options',
    byDefault: '`{}`',
  });
  return { policies };
}

const namesSchema = z
  .strictObject({
    maxLength: configKey(wholeNumber(20, 128).default(64), {
      meaning: 'Maximum length of the name of a tool or prompt. Longer names get a hash at their end.',
    }),
  })
  .prefault({})
  .describe('Names that clients see.');

const listsSchema = z
  .strictObject({
    graceMs: configKey(wholeNumber(0, 60_000).default(800), {
      meaning: 'Milliseconds that the first list of a client waits for upstreams that are starting.',
    }),
  })
  .prefault({})
  .describe('Lists of tools, resources and prompts.');

const limitsSchema = z
  .strictObject({
    frameBytes: configKey(wholeNumber(1024, 1024 ** 3).default(64 * 1024 ** 2), {
      meaning: 'Largest JSON-RPC message that is relayed, in bytes.',
    }),
    bodyBytes: configKey(wholeNumber(1024, 1024 ** 3).default(32 * 1024 ** 2), {
      meaning: 'Largest body of an HTTP request, in bytes.',
    }),
    calls: configKey(wholeNumber(1, 1_000_000).default(2_000), {
      meaning: 'Maximum number of open calls of all clients together.',
    }),
    callsPerClient: configKey(wholeNumber(1, 1_000_000).default(256), {
      meaning: 'Maximum number of open calls of one client.',
    }),
    requestsPerMinute: configKey(wholeNumber(0, 1_000_000).default(0), {
      meaning:
        'Maximum number of requests in a minute of one token; of one session if there is no token, or of one address if there is no session either. 0 means no limit.',
    }),
    connectionsPerAddress: configKey(wholeNumber(1, 500).default(400), {
      meaning:
        'Maximum number of simultaneous connections of one address, of 500 for all addresses; over HTTP and over TCP each.',
    }),
    startsAtOnce: configKey(wholeNumber(1, 1_000).optional(), {
      meaning:
        'Maximum number of processes of upstreams that may be starting at the same time; by default twice the number of processor cores.',
      more: 'See below.',
      byDefault: 'twice the cores',
    }),
  })
  .prefault({})
  .describe('Limits on what is relayed.');

const logSchema = z
  .strictObject({
    level: configKey(z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'), {
      meaning: 'How much is written to standard error.',
    }),
    file: configKey(processText.min(1).optional(), {
      meaning: 'File to which the log is written as well. Its folder must exist.',
      value: 'file',
      takesVariables: true,
      rule: logFileProblem,
    }),
  })
  .prefault({})
  .describe('The log.');
