import { DEFAULT_TIMEOUTS, type StdioEntry, type UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import { bridgeDisconnectTool, bridgeSyncTool } from '../bridge-tools.ts';
import type { CreateWorkflow, ToolDefinition, WorkflowContext } from '../define.ts';
import { Bridge, type BridgeIdentity } from './bridge.ts';
import { PREFIX, type XcodeOptions } from './options.ts';
import { keptSessionId } from './session-id.ts';
import { bridgeStatusTool, XCODE_WORDS } from './tools.ts';

export const createXcodeIde: CreateWorkflow<XcodeOptions> = (context) => {
  const identity = identityFrom(context);
  const upstream = context.addUpstream(entryFor(context.options, identity, context.home), TRAITS);
  const bridge = new Bridge(upstream, identity, context.env);
  const always = [bridgeStatusTool(bridge), bridgeSyncTool(bridge, XCODE_WORDS)];
  const connected: ToolDefinition[] = [...always, bridgeDisconnectTool(bridge, XCODE_WORDS)];
  return {
    tools: () => (upstream.isLive() ? connected : always),
    start() {
      bridge.start().catch((error: unknown) => context.log.error({ error }, "starting Xcode's bridge failed"));
    },
    stop: async () => undefined,
  };
};

const TRAITS: UpstreamTraits = {
  oneAtATimeBy: ['tabIdentifier', 'workspaceIdentifier'],
  waitingHint:
    'Xcode has not answered yet. Bring Xcode to the front and allow the connection in its dialog; if there is none, ' +
    'switch on "Allow external agents to use Xcode tools" in Xcode > Settings > Intelligence, and open a project',
  asksUser: true,
  againHint: 'To connect again: start Xcode, open a project and call xcode_tools_bridge_sync (once)',
  changeHint: 'This is usual after an update of Xcode',
};

function identityFrom({ env, home }: WorkflowContext<XcodeOptions>): BridgeIdentity {
  return {
    xcodePid: env.VIADUCT_XCODE_PID ?? env.XCODEBUILDMCP_XCODE_PID ?? env.MCP_XCODE_PID,
    sessionId:
      env.VIADUCT_XCODE_SESSION_ID ??
      env.XCODEBUILDMCP_XCODE_SESSION_ID ??
      env.MCP_XCODE_SESSION_ID ??
      keptSessionId(home),
  };
}

/** No restart by itself: Xcode asks its user about every new process (seed 004, "Safety Policy"). */
function entryFor(chosen: XcodeOptions, { xcodePid, sessionId }: BridgeIdentity, home: string): StdioEntry {
  return {
    key: 'xcode-ide',
    type: 'stdio',
    command: 'xcrun',
    args: ['mcpbridge'],
    env: { MCP_XCODE_SESSION_ID: sessionId, ...(xcodePid !== undefined && { MCP_XCODE_PID: xcodePid }) },
    cwd: home,
    inheritEnv: false,
    prefix: PREFIX,
    share: 'gateway',
    restart: 'never',
    idleStopMs: 0,
    stateless: false,
    // The bridge drops what comes before its handshake, and a process that is started to find out costs a question of Xcode's.
    era: 'legacy',
    timeouts: { ...DEFAULT_TIMEOUTS, listMs: 5_000, callMs: chosen.callMs, totalMs: 3_600_000 },
    maxConcurrency: 64,
    tools: { allow: ['*'], deny: [] },
    validation: chosen.validation,
    pins: chosen.pins,
    inferHints: chosen.inferHints,
    instructions: false,
  };
}
