import type { z } from 'zod';
import type { OwnAddress } from '../browser/guard/own-addresses.ts';
import type { Scope } from '../core/access/permissions.ts';
import type { GatewayError } from '../core/errors.ts';
import type { FolderRule } from '../core/folders/folder-rule.ts';
import type { AuditLevel } from '../core/providers/audit-level.ts';
import type { LiveFeed } from '../core/providers/live-feed.ts';
import type { Era } from '../core/providers/provider.ts';
import type { UpstreamControl } from '../core/providers/provider-status.ts';
import type { ToolExplanation } from '../core/providers/tool-explanation.ts';
import type { ClientSampling, ModelBackends } from '../core/settings/model-backends.ts';
import type { UpstreamEntry, UpstreamTraits } from '../core/settings/upstream-entry.ts';
import type { WorkspaceSettings } from '../core/settings/workspace-settings.ts';
import type { LoginPath } from '../process/login-path.ts';
import type { Reaper } from '../process/reaper.ts';
import type { Database } from '../store/database/database.ts';
import type { Log } from '../telemetry/log.ts';
import type { Guard } from '../workspace/protection/guard.ts';

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The caller, and the questions that it can be asked while the call runs. */
export interface CallContext {
  readonly client: CallingClient;
  /** Aborted when the client does not want the answer any more. */
  readonly signal: AbortSignal;
  /**
   * Returns the folder that the client works in. It is asked for its roots where nothing else tells, unless it may not be.
   * @throws GatewayError when the client may not use the folder that it names; the reason of `signal` when that is aborted
   */
  folder(options?: { readonly mayAsk: boolean }): Promise<string | undefined>;
  /** Tells the client how far the call is, if it wants to know. After the answer, and after a cancel, it does nothing. */
  progress(report: ProgressReport): void;
  /** True if the client can put a form before its user. */
  readonly canElicit: boolean;
  /** Puts a form before the user. @throws GatewayError when the client cannot, has gone, or has cancelled the call. */
  elicit(form: ElicitationForm): Promise<ElicitationAnswer>;
  /** The client's own language model. */
  readonly sampling: ClientSampling;
}

/** The progress of a call (MCP, "Progress"). */
export interface ProgressReport {
  /** The progress so far, which grows with each report. */
  readonly progress: number;
  /** In the same unit; absent if it is not known. */
  readonly total?: number | undefined;
  /** For people. */
  readonly message?: string | undefined;
}

/** A client as it calls itself. */
export interface CallingClient {
  readonly era: Era;
  /** The same for all calls of one client, as far as the protocol tells; see `Workflow.onSessionEnded`. */
  readonly id: string;
  /** True if later calls with the same id come from this client only, so that something can be kept for it. */
  readonly hasSession: boolean;
  /** The id of the authenticated principal; absent if no authentication is required. */
  readonly principal?: string | undefined;
  readonly name: string | undefined;
  /** The part of the gateway that it may see; everything if this is absent. */
  readonly scope?: Scope | undefined;
  /** Number of agents, started by gateways, between it and the user; 0 if absent. */
  readonly depth?: number | undefined;
  /** The rule for the folders that it may name; any if absent. */
  readonly folderRule?: FolderRule | undefined;
}

export interface ElicitationForm {
  readonly message: string;
  /** JSON Schema of a flat object. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content: Readonly<Record<string, unknown>>;
}

/** One tool of a workflow: schema, words, effect and code in one place. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
  readonly audit: AuditLevel;
  /** Whole numbers that a number cannot hold come as bigints in its arguments. */
  readonly hasExactNumbers?: boolean | undefined;
  /** True if its arguments may be secrets that no pattern finds: the audit keeps a digest at most. */
  readonly hasSecretArguments?: boolean | undefined;
  /** Returns the content blocks of a result that JSON text does not serve, such as an image. */
  readonly content?: ((result: unknown) => readonly ContentBlock[]) | undefined;
  /** The way in which arguments that do not fit are refused; by default as a result for the model. */
  readonly refuse?: ((misfit: z.ZodError, given: unknown) => GatewayError) | undefined;
  run(args: unknown, context: CallContext): Promise<unknown>;
}

/** A content block of a tool result (MCP, "Tool Result"). */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      readonly size: number;
    };

/** A prompt of a workflow. Its arguments are strings, as the protocol has them. */
export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  run(args: Readonly<Record<string, string>>, context: CallContext): Promise<PromptResult>;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Values that may be meant by what was typed so far. */
  readonly suggest?: (typed: string, client: CallingClient) => Promise<readonly string[]>;
}

export interface PromptResult {
  readonly description: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: { readonly type: 'text'; readonly text: string };
  }[];
}

/** One line of the list of resources. */
export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A resource that is not text. */
export interface ResourceBytes {
  readonly mimeType: string;
  /** Base64. */
  readonly blob: string;
}

/** Resources of a workflow: those that are there now, and a template for those that may be. */
export interface WorkflowResources {
  /** The same object while nothing changes. */
  list(): readonly ResourceEntry[];
  readonly template: Omit<ResourceEntry, 'uri'> & { readonly uriTemplate: string };
  /** Returns true if a uri is of this workflow, listed or not. */
  owns(uri: string): boolean;
  /** Returns true if a client may know about it: read it and hear about its changes. By default all may. */
  isFor?(uri: string, client: CallingClient): boolean;
  /** Returns true if clients with this scope may list it, read it and hear about its changes. By default all may. */
  isWithin?(uri: string, scope: Scope): boolean;
  /** Returns the text of a resource, or its bytes. @throws GatewayError when there is none. */
  read(uri: string, context: CallContext): Promise<string | ResourceBytes>;
  /** Values for the variable of the template that may be meant by what was typed so far. */
  suggest(typed: string, client: CallingClient): Promise<readonly string[]>;
}

/**
 * Declares a tool. `run` gets arguments that fit `input` and returns what fits `output`; a `GatewayError` that it
 * throws becomes a result the model can act on.
 */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly audit: AuditLevel;
  readonly hasExactNumbers?: boolean;
  readonly hasSecretArguments?: boolean;
  content?(this: void, result: z.output<Output>): readonly ContentBlock[];
  refuse?(misfit: z.ZodError, given: unknown): GatewayError;
  run(args: z.output<Input>, context: CallContext): Promise<z.input<Output>>;
}): ToolDefinition {
  const { content } = definition;
  return {
    ...definition,
    run: (args, context) => definition.run(args as z.output<Input>, context),
    content: content === undefined ? undefined : (result) => content(result as z.output<Output>),
  };
}

/** An upstream that a workflow brings along. */
export interface WorkflowUpstream extends UpstreamControl {
  /** Begins to connect. */
  start(): void;
  /** True if there is a connection, or one is being made. */
  isLive(): boolean;
}

/** The state of one upstream, in a form that models can read. */
export interface UpstreamReport {
  key: string;
  prefix: string;
  state: string;
  since: string;
  reason: string | null;
  retryAt: string | null;
  lastError: string | null;
  /** The number of entries that it offers now. */
  tools: number;
  prompts: number;
  resources: number;
  /** Its lists that failed or had faults, and how. */
  listErrors: string[];
  /** Its last words on standard error, if it is down. */
  stderr: string[];
}

export interface GatewayReport {
  version: string;
  /** Path of the config file. */
  config: string;
  /** Configs that the gateway does not use, and why. */
  configNotices: string[];
  workflows: string[];
  /** Keys of entries that are switched off. */
  disabled: string[];
  upstreams: UpstreamReport[];
}

/** The client that is told of the gateway: what it may see, and who it has proved to be. */
export type Viewer = Pick<CallingClient, 'scope' | 'principal'>;

/** Describes the gateway to callers of a scope. No text in it holds a secret of the config. */
export interface GatewayView {
  report(viewer: Viewer): GatewayReport;
  explain(tool: string, viewer: Viewer): Promise<ToolExplanation>;
  /** Returns true if a workflow is on, and the viewer may see it and a tool of it. */
  offers(workflow: string, tool: string, viewer: Viewer): boolean;
  /** Returns how many clients are connected that the viewer may know about: all, or those that have come in as it has. */
  clients(viewer: Viewer): number;
  /** Returns whether the viewer may know what other clients do: nothing limits it, and it did not have to prove who it is. */
  seesEverything(viewer: Viewer): boolean;
}

/** The services that a workflow gets from the gateway. */
export interface WorkflowContext<Options> {
  readonly options: Options;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The gateway's folder for its own files, `$VIADUCT_HOME`. */
  readonly home: string;
  readonly log: Log;
  /** Replaces the secrets of the config in a text, as the log does. */
  readonly mask: (text: string) => string;
  readonly gateway: GatewayView;
  /** Ends what the workflow has started if the gateway itself is killed. */
  readonly reaper: Reaper;
  readonly loginPath: LoginPath;
  /** Events inside workflows, for those who watch them. */
  readonly live: LiveFeed;
  /** The value that `handOver` of the same workflow with other options gave, which is about to stop. */
  readonly handedOver?: unknown;
  /** The folders in which its tools may work; a workflow with `usesWorkspace` restarts when they change. */
  readonly workspace: WorkspaceSettings;
  /**
   * Returns the guard that keeps its tools from the config and other protected files. Called at each call, because the
   * protected files change with the config.
   */
  readonly guard: () => Guard;
  /**
   * Returns the addresses of this gateway and of the user's other gateways: no page may open them. To be asked for at each
   * request.
   */
  readonly ownAddresses: () => readonly OwnAddress[];
  /** Adds an upstream to the catalogue; it is not started yet. */
  addUpstream(entry: UpstreamEntry, traits: UpstreamTraits): WorkflowUpstream;
  /**
   * The config's database, for a workflow that has said `usesDatabase`. It is opened at its first use, and closed when the
   * workflow has stopped.
   */
  readonly openDatabase: () => Database;
  /** The `postgres://` url of that database, for a workflow that opens it in a thread of its own; `undefined` for SQLite. */
  readonly databaseUrl: string | undefined;
  /** The language models of the config, for a workflow that has said `usesModels`. Their code is loaded at the first use. */
  readonly models: () => Promise<ModelBackends>;
  /** Reports that the workflow's offers may have changed. */
  readonly onOffer: () => void;
  /** A resource changed: clients that have subscribed to it are told. */
  readonly onResourceChanged: (uri: string) => void;
}

/** Returns whether a workflow can do its work, and what is wrong if it cannot; names no path and no secret. */
export interface WorkflowHealth {
  readonly ok: boolean;
  readonly detail?: string;
}

/** A workflow that is switched on. */
export interface Workflow {
  /** Returns the tools that are there now; the same objects while nothing changes. */
  tools(): readonly ToolDefinition[];
  readonly prompts?: readonly PromptDefinition[];
  readonly resources?: WorkflowResources;
  /** A client has gone, by the id that its calls had. Clients that leave no trace of going, as over HTTP, are not told of. */
  onSessionEnded?(clientId: string): void;
  /** Says what it does that must not end with the last client (`KeepsAlive`); nothing if absent. */
  work?(): readonly string[];
  /** Begins what the workflow does by itself. Must not wait for anything slow. */
  start(): void;
  /** Ends it; harmless when called twice. */
  stop(): Promise<void>;
  /** Returns the value for the workflow that takes its place when its options change while the gateway runs. */
  handOver?(): unknown;
}

export interface WorkflowDefinition<Options = unknown> {
  readonly name: string;
  readonly description: string;
  /** Options under `workflows.<name>` in the config, with their defaults. */
  readonly options: z.ZodType<Options>;
  /** Prefixes of upstreams that the workflow brings along. */
  readonly prefixes: readonly string[];
  /** Prefixes of the names of its tools, or whole names: they tell whose a tool is while the workflow is off. */
  readonly toolNamesBegin: readonly string[];
  /** True if it restarts when the config names another database. */
  readonly usesDatabase?: boolean;
  /** True if it restarts when the config's section `models` changes. */
  readonly usesModels?: boolean;
  /** Loads its code when it is switched on for the first time. */
  load(): Promise<CreateWorkflow<Options>>;
  /** True if it restarts when the config's workspace changes. */
  readonly usesWorkspace?: boolean;
}

export type CreateWorkflow<Options = unknown> = (context: WorkflowContext<Options>) => Workflow;

/**
 * Declares a workflow, in a file that imports none of its code; a line in `index.ts` makes its name known to `enabledWorkflows`.
 */
export function defineWorkflow<Options>(definition: WorkflowDefinition<Options>): WorkflowDefinition {
  return definition as WorkflowDefinition;
}
