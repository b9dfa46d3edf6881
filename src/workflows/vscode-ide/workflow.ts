import { readPorts } from '../../core/addresses/port-list.ts';
import { DEFAULT_TIMEOUTS, type UpstreamEntry, type UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import { bridgeDisconnectTool, bridgeSyncTool } from '../bridge-tools.ts';
import type { CreateWorkflow, ToolDefinition } from '../define.ts';
import { PREFIX, type VscodeOptions } from './options.ts';
import { Plugin } from './plugin.ts';
import { pluginStatusTool, VSCODE_WORDS } from './tools.ts';

export const createVscodeIde: CreateWorkflow<VscodeOptions> = (context) => {
  const entry = entryFor(context.options);
  const upstream = context.addUpstream(entry, TRAITS);
  const plugin = new Plugin(upstream, entry);
  const always = [pluginStatusTool(plugin), bridgeSyncTool(plugin, VSCODE_WORDS)];
  const connected: ToolDefinition[] = [...always, bridgeDisconnectTool(plugin, VSCODE_WORDS)];
  return {
    tools: () => (upstream.isLive() ? connected : always),
    start: () => upstream.start(),
    stop: async () => undefined,
  };
};

const TRAITS: UpstreamTraits = {
  oneAtATimeBy: [],
  waitingHint: 'The plug-in is there but does not list its tools; VS Code may be busy starting',
  againHint: 'To connect again: call vscode_bridge_sync',
  changeHint: 'This is usual after an update of the plug-in',
};

function entryFor({ ports, workspace, url, callMs, ...chosen }: VscodeOptions): UpstreamEntry {
  const rules = {
    ...chosen,
    key: 'vscode-ide',
    type: 'ide-rest',
    prefix: PREFIX,
    share: 'gateway',
    restart: 'always',
    idleStopMs: 0,
    stateless: false,
    era: 'legacy',
    timeouts: { ...DEFAULT_TIMEOUTS, listMs: 10_000, callMs, totalMs: 3_600_000 },
    maxConcurrency: 64,
    tools: { allow: ['*'], deny: [] },
    instructions: false,
  } as const;
  // The schema has seen to it that these are ports.
  return url === undefined ? { ...rules, ports: readPorts(ports)!, workspace } : { ...rules, url, headers: {} };
}
