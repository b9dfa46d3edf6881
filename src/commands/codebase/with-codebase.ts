import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { callWorkflow, type ToolCall } from '../terminal/call-workflow.ts';

export interface CodebaseOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** Calls a tool of the workflow `codebase`, see `callWorkflow`. */
export function callCodebase({ config }: CodebaseOptions, call: ToolCall): Promise<JsonObject> {
  return callWorkflow('codebase', config, call);
}
