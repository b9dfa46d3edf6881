import { z } from 'zod';
import { GatewayError } from '../core/errors.ts';
import { PROJECT_ID } from '../core/projects/project-id.ts';
import type { AuditLevel } from '../core/providers/audit-level.ts';
import { cutText } from '../core/text/clean-text.ts';
import { pathText } from '../core/text/path-text.ts';
import { type CallContext, defineTool, type ToolAnnotations, type ToolDefinition } from './define.ts';

const MAX_NAME = 100;

export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
/** Adds something each time. */
export const ADDS: ToolAnnotations = { ...READS, readOnlyHint: false, idempotentHint: false };
export const CHANGES: ToolAnnotations = { ...READS, readOnlyHint: false };

export const projectId = z.string().regex(PROJECT_ID, { message: `must match ${PROJECT_ID.source}` });

export const projectIdArgument = projectId
  .optional()
  .describe('Id of the project; found by the folder that you work in where it is missing');

/** A tool about projects. Its arguments are refused as ide-bridge and codebase-mcp do it: by a JSON-RPC error that names the argument. */
export function defineProjectTool<Input extends z.ZodObject, Output extends z.ZodType>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly audit?: AuditLevel;
  run(args: z.output<Input>, context: CallContext): Promise<z.input<Output>>;
}): ToolDefinition {
  const { audit = definition.annotations.readOnlyHint ? 'info' : 'security', ...rest } = definition;
  return defineTool({
    ...rest,
    audit,
    hasExactNumbers: true,
    refuse: (misfit, given) => refusal(definition.input, misfit, given),
  });
}

function refusal(input: z.ZodObject, { issues }: z.ZodError, given: unknown): GatewayError {
  const issue = issues[0]!;
  const [name] = issue.path;
  if (issue.code === 'unrecognized_keys' && name === undefined) return invalid(unknownArgument(input, issue.keys));
  if (name === undefined) return invalid('arguments must be an object');
  const { type, required } = argumentFacts(input, String(name));
  const value = (given as Record<PropertyKey, unknown>)[name];
  const isMissing =
    issue.path.length === 1 && (value === undefined || value === null || value === '' || isMistyped(issue));
  if (required && isMissing) return invalid(`missing or empty required ${type} arg: ${String(name)}`);
  return invalid(`invalid arg: ${pathText(issue.path)}: ${issue.message}`);
}

function unknownArgument(input: z.ZodObject, names: readonly string[]): string {
  const shown = names.map((name) => JSON.stringify(cutText(name, MAX_NAME))).join(', ');
  return `unknown arg: ${shown}: the tool takes ${Object.keys(input.shape).join(', ')}`;
}

function isMistyped({ code }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type';
}

function argumentFacts(input: z.ZodObject, name: string): { readonly type: string; readonly required: boolean } {
  const schema = z.toJSONSchema(input, { io: 'input' }) as {
    required?: readonly string[];
    properties?: Readonly<Record<string, { type?: string }>>;
  };
  return {
    type: schema.properties?.[name]?.type ?? 'value',
    required: schema.required?.includes(name) === true,
  };
}

function invalid(message: string): GatewayError {
  return new GatewayError('INVALID_PARAMS', message, { effect: 'none' });
}
