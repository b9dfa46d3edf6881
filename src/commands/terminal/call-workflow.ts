import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { callTool } from '../../gateway/client/call-tool.ts';
import type { Progress } from '../../gateway/client/local-client.ts';
import { withWorkflow } from './with-client.ts';

export interface ToolCall {
  readonly tool: string;
  /** Members that are `undefined` are left out. */
  readonly args: JsonObject;
  /** The command, as status and audit show it. */
  readonly name: string;
  /** The folder that the command works in, absolute. */
  readonly folder: string;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Calls a tool of a workflow: of the gateway that runs, else of one for this command alone, which starts no server.
 * @throws Error if the workflow is off, or the tool fails
 */
export function callWorkflow(
  workflow: string,
  config: string | undefined,
  { tool, args, name, folder, onProgress }: ToolCall,
): Promise<JsonObject> {
  return withWorkflow(workflow, { config, name }, (client) => callTool(client, tool, args, folder, onProgress));
}
