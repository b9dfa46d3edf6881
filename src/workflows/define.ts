import type { z } from 'zod';
import type { UpstreamControl } from '../core/provider-status.ts';
import type { ToolExplanation } from '../core/tool-explanation.ts';
import type { UpstreamEntry, UpstreamTraits } from '../core/upstream-entry.ts';
import type { Log } from '../telemetry/log.ts';

/** What the audit log makes of a call: `security` for what changes something or runs something. */
export type AuditLevel = 'info' | 'security';

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
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
  run(args: unknown): Promise<unknown>;
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
  run(args: z.output<Input>): Promise<z.input<Output>>;
}): ToolDefinition {
  return { ...definition, run: (args) => definition.run(args as z.output<Input>) };
}

/** An upstream that a workflow brings along. */
export interface WorkflowUpstream extends UpstreamControl {
  /** Begins to connect. */
  start(): void;
  /** Whether a connection is there or being made. */
  isLive(): boolean;
}

/** How one upstream is, in a form that models can read. */
export interface UpstreamReport {
  key: string;
  prefix: string;
  state: string;
  since: string;
  reason: string | null;
  retryAt: string | null;
  lastError: string | null;
  /** How many it offers now. */
  tools: number;
  prompts: number;
  resources: number;
}

export interface GatewayReport {
  version: string;
  /** Path of the config file. */
  config: string;
  workflows: string[];
  /** Keys of entries that are switched off. */
  disabled: string[];
  upstreams: UpstreamReport[];
}

/** What the gateway says of itself. No text in it holds a secret of the config. */
export interface GatewayView {
  report(): GatewayReport;
  explain(tool: string): Promise<ToolExplanation>;
}

/** What a workflow gets of the gateway. */
export interface WorkflowContext<Options> {
  readonly options: Options;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The gateway's folder for its own files, `$VIADUCT_HOME`. */
  readonly home: string;
  readonly log: Log;
  readonly gateway: GatewayView;
  /** Adds an upstream to the catalogue; it is not started yet. */
  addUpstream(entry: UpstreamEntry, traits: UpstreamTraits): WorkflowUpstream;
}

/** A workflow that is switched on. */
export interface Workflow {
  /** The tools that are there now; the same objects while nothing changes. */
  tools(): readonly ToolDefinition[];
  /** Begins what the workflow does by itself. Must not wait for anything slow. */
  start(): void;
  /** Ends it; harmless when called twice. */
  stop(): Promise<void>;
}

export interface WorkflowDefinition<Options = unknown> {
  readonly name: string;
  readonly description: string;
  /** Options under `workflows.<name>` in the config, with their defaults. */
  readonly options: z.ZodType<Options>;
  /** Prefixes of upstreams that the workflow brings along. */
  readonly prefixes: readonly string[];
  /** What the names of its tools begin with: tells whose a tool is while the workflow is off. */
  readonly toolNamesBegin: string;
  create(context: WorkflowContext<Options>): Workflow;
}

/** Declares a workflow; a line in `index.ts` makes its name known to `enabledWorkflows`. */
export function defineWorkflow<Options>(definition: WorkflowDefinition<Options>): WorkflowDefinition {
  return definition as WorkflowDefinition;
}
