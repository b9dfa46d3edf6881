import { z } from 'zod';
import type { Permissions } from '../core/access/permissions.ts';
import type { ListenAddress } from '../core/addresses/listen-address.ts';
import { type ModelsOptions, modelsOptions } from '../core/settings/models-options.ts';
import type { UpstreamEntry } from '../core/settings/upstream-entry.ts';
import type { WorkspaceSettings } from '../core/settings/workspace-settings.ts';
import { databaseUrl, processText, wholeNumber } from './field-schemas.ts';
import { profilesSchema } from './profiles/profile-schema.ts';
import { auditSchema } from './server/audit-schema.ts';
import { serverSchema } from './server/server-schema.ts';
import type { BrokenEntry } from './upstreams/broken-entry.ts';
import { defaultsSchema } from './upstreams/defaults.ts';
import { entrySchema, UPSTREAM_KEY } from './upstreams/entry-schema.ts';
import { workspaceSchema } from './workspace/workspace-schema.ts';

/** The only version of the file's shape that this build reads. */
export const SCHEMA_VERSION = 1;

/** What a config file says, with every default filled in and every `${VAR}` replaced. */
export interface Config {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly enabledWorkflows: readonly string[];
  readonly server: ServerConfig;
  /** Those that run, in the order of the file. */
  readonly upstreams: readonly UpstreamEntry[];
  /** Entries with `disabled: true`, in the order of the file. A `${VAR}` that is not set stays as it is in them. */
  readonly disabled: readonly UpstreamEntry[];
  /** Entries that have a fault, so that they do not run; none in a config that `parseConfig` gives. */
  readonly broken: readonly BrokenEntry[];
  /** Keys of all entries, in the order of the file. */
  readonly order: readonly string[];
  /** What clients may see, by the name of the profile that they come by. */
  readonly profiles: Readonly<Record<string, Permissions>>;
  /** Options of each workflow that is enabled or has a section, as its own schema gives them. */
  readonly workflows: Readonly<Record<string, unknown>>;
  /** Of PostgreSQL; without it the stores are in SQLite, in the gateway's own folder. */
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
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** Where clients connect that speak JSON-RPC in lines; nowhere if it is absent. */
  readonly tcp?: ListenAddress | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly nameInResults: boolean;
  /** Where there is none, nobody needs one; an empty list lets nobody in. */
  readonly tokens?: readonly TokenConfig[] | undefined;
  readonly oauth?: OAuthConfig | undefined;
  /** Absolute. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly behindProxy: boolean;
  /** Absent where the address decides. */
  readonly sessionless?: boolean | undefined;
}

/** One bearer token: what its clients may see, and until when. */
export interface TokenConfig {
  readonly name: string;
  /** `sha256:` and the digest in hexadecimal. */
  readonly hash: string;
  /** What its clients see; everything where it is absent. */
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
  /** Absolute; in the gateway's own folder where it is absent. */
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
  /** Twice the number of processor cores where this is absent. */
  readonly startsAtOnce?: number | undefined;
}

/** What the workflows of this build bring to the file. */
export interface WorkflowShapes {
  readonly knownWorkflows: readonly string[];
  /** For each workflow that has options: their strict schema, defaults included. */
  readonly workflowOptions: Readonly<Record<string, z.ZodType>>;
}

export type ConfigFile = z.output<ReturnType<typeof configFileSchema>>;

/** The shape of the file, before `${VAR}`, prefixes and folders are resolved. */
export function configFileSchema({ knownWorkflows, workflowOptions }: WorkflowShapes) {
  return z.strictObject({
    schemaVersion: z.literal(SCHEMA_VERSION).describe('Version of the shape of this file. This build reads 1.'),
    enabledWorkflows: z
      .array(z.enum(knownWorkflows))
      .default([])
      .describe('Built-in workflows that are on. None of the code of the others runs.'),
    server: serverSchema,
    defaults: defaultsSchema,
    upstreams: upstreamsSchema,
    profiles: profilesSchema,
    workflows: workflowsSchema(workflowOptions),
    database: databaseUrl
      .optional()
      .describe(
        'Url of the PostgreSQL database in which workflows keep their data, instead of SQLite in $VIADUCT_HOME.',
      ),
    models: modelsOptions,
    workspace: workspaceSchema,
    names: namesSchema,
    lists: listsSchema,
    limits: limitsSchema,
    log: logSchema,
    audit: auditSchema,
  });
}

const upstreamsSchema = z
  // The pattern is told to editors only: Zod would not look at the entry of a bad key, see `checkUpstreams`.
  .record(z.string().meta({ pattern: UPSTREAM_KEY.source }), entrySchema)
  .default({})
  .describe('The MCP servers behind the gateway, each under a name of your choice.');

function workflowsSchema(options: WorkflowShapes['workflowOptions']) {
  const shape = Object.entries(options).map(([name, schema]) => [name, schema.optional()] as const);
  return z.strictObject(Object.fromEntries(shape)).prefault({}).describe('Options of the workflows.');
}

const namesSchema = z
  .strictObject({
    maxLength: wholeNumber(20, 128)
      .default(64)
      .describe('Longest name of a tool or prompt; longer ones get a hash at their end.'),
  })
  .prefault({})
  .describe('Names that clients see.');

const listsSchema = z
  .strictObject({
    graceMs: wholeNumber(0, 60_000)
      .default(800)
      .describe('How long the first list of a client waits for upstreams that are starting, in milliseconds.'),
  })
  .prefault({})
  .describe('Lists of tools, resources and prompts.');

const limitsSchema = z
  .strictObject({
    frameBytes: wholeNumber(1024, 1024 ** 3)
      .default(64 * 1024 ** 2)
      .describe('Largest JSON-RPC message that is relayed, in bytes.'),
    bodyBytes: wholeNumber(1024, 1024 ** 3)
      .default(32 * 1024 ** 2)
      .describe('Largest body of an HTTP request, in bytes.'),
    calls: wholeNumber(1, 1_000_000).default(2_000).describe('Calls of all clients that may be open at one time.'),
    callsPerClient: wholeNumber(1, 1_000_000)
      .default(256)
      .describe('Calls of one client that may be open at one time.'),
    requestsPerMinute: wholeNumber(0, 1_000_000)
      .default(0)
      .describe('Requests of one token, else session, else address, in a minute; 0 for no limit.'),
    connectionsPerAddress: wholeNumber(1, 500)
      .default(400)
      .describe('Connections of one address at one time, of 500 for all, over HTTP and over TCP each.'),
    startsAtOnce: wholeNumber(1, 1_000)
      .optional()
      .describe(
        'Processes of upstreams that may be starting at one time; by default twice the number of processor cores.',
      ),
  })
  .prefault({})
  .describe('Limits on what is relayed.');

const logSchema = z
  .strictObject({
    level: z
      .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
      .default('info')
      .describe('How much is written to stderr.'),
    file: processText.min(1).optional().describe('File to which the log is written as well; its folder must exist.'),
  })
  .prefault({})
  .describe('The log.');
