import { z } from 'zod';
import { EXPLANATION_CAUSES } from '../../core/providers/tool-explanation.ts';
import { defineTool, type GatewayView, type ToolDefinition } from '../define.ts';

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

const nullableText = z.string().nullable();

export function statusTool(gateway: GatewayView): ToolDefinition {
  return defineTool({
    name: 'viaduct_status',
    title: 'Viaduct: status',
    description:
      'Shows the servers behind this gateway: the state of each, why it is not ready, and how many tools, prompts and resources it offers now.',
    input: z.object({}),
    output: z.object({
      version: z.string(),
      config: z.string().describe('Path of the config file'),
      configNotices: z
        .array(z.string())
        .describe('Configs that are not used, or only in part, and why; only the user decides whether to use them'),
      workflows: z.array(z.string()).describe('Built-in workflows that are on'),
      disabled: z.array(z.string()).describe('Entries of the config that are switched off'),
      upstreams: z.array(
        z.object({
          key: z.string(),
          prefix: z.string(),
          state: z.string(),
          since: z.string(),
          reason: nullableText,
          retryAt: nullableText,
          lastError: nullableText,
          tools: z.number(),
          prompts: z.number(),
          resources: z.number(),
          listErrors: z.array(z.string()).describe('Which of its lists failed or had faults, and how'),
          stderr: z
            .array(z.string())
            .describe('Last lines that it wrote to standard error, if it is down; oldest line first'),
        }),
      ),
    }),
    annotations: READ_ONLY,
    audit: 'info',
    run: async (_args, { client }) => gateway.report(client),
  });
}

export function whyTool(gateway: GatewayView): ToolDefinition {
  return defineTool({
    name: 'viaduct_why',
    title: 'Viaduct: why is a tool missing',
    description:
      "Says whether a tool can be called through this gateway and, if not, why (no such tool, hidden by the config, its server is down, changed since it was approved, …) and which command or edit of the config would help. Takes a tool's name as listed here or as its server calls it.",
    input: z.object({ tool: z.string().min(1).max(200).describe('Name of the tool') }),
    output: z.object({
      tool: z.string(),
      visible: z.boolean().describe('True if it is listed'),
      cause: z.enum(EXPLANATION_CAUSES),
      detail: z.string(),
      fix: nullableText.describe('Command or edit of the config for the user of the gateway'),
      publicName: nullableText.describe('The name to call it by'),
      provider: nullableText.describe('The server or workflow that it belongs to'),
      similar: z.array(z.string()).describe('Listed tools with similar names'),
    }),
    annotations: READ_ONLY,
    audit: 'info',
    run: async ({ tool }, { client }) => {
      const explanation = await gateway.explain(tool, client);
      return { ...explanation, similar: [...explanation.similar] };
    },
  });
}
