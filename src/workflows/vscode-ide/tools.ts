import { z } from 'zod';
import { type BridgeWords, connectionShape } from '../bridge-tools.ts';
import { defineTool, type ToolDefinition } from '../define.ts';
import type { Plugin } from './plugin.ts';

const nullableText = z.string().nullable();

export const VSCODE_WORDS: BridgeWords = {
  prefix: 'vscode',
  title: 'VS Code plug-in',
  owner: 'VS Code',
  sync: "Looks for VS Code's plug-in now, connects to the windows that have it, and registers its tools as vscode_*. Use it after vscode_bridge_status shows that nothing is connected.",
  disconnect:
    "Ends the connections to VS Code's plug-in and unregisters its tools (vscode_*). vscode_bridge_sync connects again.",
};

export function pluginStatusTool(plugin: Plugin): ToolDefinition {
  return defineTool({
    name: 'vscode_bridge_status',
    title: 'VS Code plug-in: status',
    description:
      "Shows in which windows VS Code's plug-in was found, which folder each has open, what went wrong last, how many VS Code tools (vscode_*) are registered, and what to do where something is missing.",
    input: z.object({}),
    output: z.object({
      workflowEnabled: z.boolean(),
      lookedAt: z.string().describe('Places in which Viaduct looks for the plug-in'),
      pluginFound: z.boolean(),
      windows: z
        .array(
          z.object({
            url: z.string(),
            workspace: nullableText.describe('Folder that it has open; empty for none, null where it does not say'),
            dialect: z.enum(['rest', 'json-rpc']),
            plugin: nullableText.describe('Name and version, as the plug-in gives them'),
            state: z.string(),
          }),
        )
        .describe('Those that were found on the ports'),
      whatToDo: nullableText,
      ...connectionShape('vscode-ide'),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: async () => plugin.status(),
  });
}
