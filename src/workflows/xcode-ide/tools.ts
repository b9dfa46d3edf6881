import { z } from 'zod';
import { type BridgeWords, connectionShape } from '../bridge-tools.ts';
import { defineTool, type ToolDefinition } from '../define.ts';
import type { Bridge } from './bridge.ts';

const nullableText = z.string().nullable();

export const XCODE_WORDS: BridgeWords = {
  prefix: 'xcode_tools',
  title: 'Xcode bridge',
  owner: 'Xcode',
  sync: "Makes one attempt to connect to Apple's Xcode bridge and to register its tools as xcode_tools_*. Xcode may ask its user for permission. Use it after xcode_tools_bridge_status shows that the bridge is not connected.",
  disconnect:
    "Stops Apple's Xcode bridge and unregisters its tools (xcode_tools_*). xcode_tools_bridge_sync connects again.",
};

export function bridgeStatusTool(bridge: Bridge): ToolDefinition {
  return defineTool({
    name: 'xcode_tools_bridge_status',
    title: 'Xcode bridge: status',
    description:
      "Shows whether Apple's Xcode bridge (xcrun mcpbridge) is available and connected, what went wrong last, and how many Xcode tools (xcode_tools_*) are registered.",
    input: z.object({}),
    output: z.object({
      workflowEnabled: z.boolean(),
      bridgeAvailable: z.boolean().describe('xcrun can find mcpbridge'),
      bridgePath: nullableText,
      bridgeProblem: z.string().optional(),
      xcodeRunning: z.boolean(),
      bridgePid: z.number().nullable(),
      xcodePid: nullableText,
      xcodeSessionId: z.string(),
      bridgeStderr: z
        .array(z.string())
        .describe('Last lines that the bridge wrote to standard error, oldest line first'),
      ...connectionShape('xcode-ide'),
      nextStep: z.string().optional().describe('Steps for the user before tools are available'),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: () => bridge.status(),
  });
}
