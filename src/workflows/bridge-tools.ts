import { z } from 'zod';
import type { SyncReport, UpstreamStatus } from '../core/providers/provider-status.ts';
import { cleanText } from '../core/text/clean-text.ts';
import { defineTool, type ToolDefinition } from './define.ts';

/** A workflow's connection to the tools of an IDE. */
export interface ToolBridge {
  /** One connect and sync. @throws GatewayError that says what the user has to do. */
  sync(): Promise<SyncReport>;
  disconnect(): Promise<void>;
}

/** The differences between the tools of two IDEs. */
export interface BridgeWords {
  /** The prefix of the tools, such as `xcode_tools`. */
  readonly prefix: string;
  readonly title: string;
  readonly sync: string;
  readonly disconnect: string;
  /** The owner of the tools. */
  readonly owner: string;
}

const nothing = z.object({});
const nullableText = z.string().nullable();

/** The part of a bridge's status that all have. */
export const connectionShape = (key: string) => ({
  connected: z.boolean(),
  state: z
    .string()
    .describe(
      'stopped, starting, ready, waiting (connected, but its tools are not listed), backoff, failed or stopping',
    ),
  since: z.string(),
  reason: nullableText,
  lastError: nullableText,
  listErrors: z.array(z.string()).describe('Which of its lists failed or had faults, and how'),
  proxiedToolCount: z.number(),
  changedToolCount: z
    .number()
    .describe(`Tools that changed, or are new, since they were approved: viaduct pins diff ${key}`),
  withheldToolCount: z.number().describe('Those of them that are not offered (pins: enforce)'),
  lastSync: nullableText,
  protocolVersion: nullableText,
  serverInfo: z.record(z.string(), z.unknown()).nullable(),
});

/** The values inserted into it. Texts of the server are cleaned: models and terminals read them. */
export function connectionFields({
  state,
  since,
  reason,
  lastError,
  listErrors,
  counts,
  pins,
  lastSync,
  protocolVersion,
  serverInfo,
}: UpstreamStatus) {
  return {
    connected: state === 'ready' || state === 'waiting',
    state,
    since,
    reason: reason === undefined ? null : cleanText(reason),
    lastError: lastError === undefined ? null : cleanText(lastError),
    listErrors: listErrors.map((line) => cleanText(line)),
    proxiedToolCount: counts.tools,
    changedToolCount: pins.changed + pins.new,
    withheldToolCount: pins.withheld,
    lastSync: lastSync ?? null,
    protocolVersion: protocolVersion ?? null,
    serverInfo: serverInfo === undefined ? null : cleanTexts(serverInfo),
  };
}

export function bridgeSyncTool(bridge: ToolBridge, { prefix, title, sync, owner }: BridgeWords): ToolDefinition {
  return defineTool({
    name: `${prefix}_bridge_sync`,
    title: `${title}: connect and sync`,
    description: sync,
    input: nothing,
    output: z.object({
      added: z.number(),
      updated: z.number(),
      removed: z.number(),
      total: z.number().describe(`${owner} tools that are registered now`),
      problem: z.string().optional().describe('Which other lists could not be read, and why'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'security',
    run: async () => {
      const { problem, ...counts } = await bridge.sync();
      return { ...counts, ...(problem !== undefined && { problem: cleanText(problem) }) };
    },
  });
}

export function bridgeDisconnectTool(bridge: ToolBridge, { prefix, title, disconnect }: BridgeWords): ToolDefinition {
  return defineTool({
    name: `${prefix}_bridge_disconnect`,
    title: `${title}: disconnect`,
    description: disconnect,
    input: nothing,
    output: z.object({ disconnected: z.boolean(), nextStep: z.string().describe('How to connect it again') }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'security',
    run: async () => {
      await bridge.disconnect();
      return { disconnected: true, nextStep: `To connect again: call ${prefix}_bridge_sync` };
    },
  });
}

function cleanTexts(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const clean = (_key: string, part: unknown) => (typeof part === 'string' ? cleanText(part) : part);
  return JSON.parse(JSON.stringify(value), clean) as Record<string, unknown>;
}
