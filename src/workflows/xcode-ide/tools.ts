import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../define.ts';
import type { Bridge } from './bridge.ts';

const nothing = z.object({});

const nullableText = z.string().nullable();

export function bridgeStatusTool(bridge: Bridge): ToolDefinition {
  return defineTool({
    name: 'xcode_tools_bridge_status',
    title: 'Xcode bridge: status',
    description:
      "Shows whether Apple's Xcode bridge (xcrun mcpbridge) is available and connected, what went wrong last, and how many Xcode tools (xcode_tools_*) are registered.",
    input: nothing,
    output: z.object({
      workflowEnabled: z.boolean(),
      bridgeAvailable: z.boolean().describe('xcrun can find mcpbridge'),
      bridgePath: nullableText,
      bridgeProblem: z.string().optional(),
      xcodeRunning: z.boolean(),
      connected: z.boolean(),
      state: z.string().describe('stopped, starting, ready, waiting (for approval in Xcode), failed or stopping'),
      since: z.string(),
      reason: nullableText,
      lastError: nullableText,
      bridgePid: z.number().nullable(),
      xcodePid: nullableText,
      xcodeSessionId: z.string(),
      proxiedToolCount: z.number(),
      changedToolCount: z
        .number()
        .describe('Tools that changed, or are new, since they were approved: viaduct pins diff xcode-ide'),
      withheldToolCount: z.number().describe('Those of them that are not offered (pins: enforce)'),
      lastSync: nullableText,
      protocolVersion: nullableText,
      serverInfo: z.record(z.string(), z.unknown()).nullable(),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: () => bridge.status(),
  });
}

export function bridgeSyncTool(bridge: Bridge): ToolDefinition {
  return defineTool({
    name: 'xcode_tools_bridge_sync',
    title: 'Xcode bridge: connect and sync',
    description:
      "Makes one attempt to connect to Apple's Xcode bridge and to register its tools as xcode_tools_*. Xcode may ask its user for permission. Use it after xcode_tools_bridge_status shows that the bridge is not connected.",
    input: nothing,
    output: z.object({
      added: z.number(),
      updated: z.number(),
      removed: z.number(),
      total: z.number().describe('Xcode tools that are registered now'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'security',
    run: () => bridge.sync(),
  });
}

export function bridgeDisconnectTool(bridge: Bridge): ToolDefinition {
  return defineTool({
    name: 'xcode_tools_bridge_disconnect',
    title: 'Xcode bridge: disconnect',
    description:
      "Stops Apple's Xcode bridge and unregisters its tools (xcode_tools_*). xcode_tools_bridge_sync connects again.",
    input: nothing,
    output: z.object({ disconnected: z.boolean() }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'security',
    run: async () => {
      await bridge.disconnect();
      return { disconnected: true };
    },
  });
}
