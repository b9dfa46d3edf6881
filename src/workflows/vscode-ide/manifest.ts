import path from 'node:path';
import { z } from 'zod';
import { readPorts } from '../../core/port-list.ts';
import { DEFAULT_TIMEOUTS, type UpstreamEntry, type UpstreamTraits } from '../../core/upstream-entry.ts';
import { bridgeDisconnectTool, bridgeOptions, bridgeSyncTool } from '../bridge-tools.ts';
import { defineWorkflow, type ToolDefinition } from '../define.ts';
import { Plugin } from './plugin.ts';
import { pluginStatusTool, VSCODE_WORDS } from './tools.ts';

const PREFIX = 'vscode';
/** Those that the plug-in takes unless its settings say otherwise. */
const PORTS = '9960-9990';

const isPortList = (list: string | number | number[]): boolean => readPorts(list) !== undefined;

const options = z
  .strictObject({
    ports: z
      .union([z.string(), z.int(), z.array(z.int())])
      .refine(isPortList, { error: 'must be ports from 1 to 65535, at most 200 of them' })
      .default(PORTS)
      .describe('Ports of this machine on which the plug-in is looked for'),
    workspace: z
      .string()
      .refine((folder) => path.isAbsolute(folder), { error: 'must be an absolute folder' })
      .optional()
      .describe("Folder whose window is meant, where there are several; without it, that of each client's own"),
    url: z
      .url({ protocol: /^https?$/, error: 'must be a url that begins with http:// or https://' })
      .optional()
      .describe('Address of the plug-in of one window, instead of looking for it'),
    ...bridgeOptions({
      inferHints: 'Fill in readOnlyHint and destructiveHint, which the plug-in does not give, judged by the tool names',
      validation: "What happens to arguments that do not fit a tool's schema; the plug-in itself does not look",
      callMs: 120_000,
      patience: 'a language server that starts takes its time',
    }),
  })
  .refine(({ url, workspace }) => url === undefined || workspace === undefined, {
    error: 'a url is that of one window: workspace goes only with ports',
    path: ['workspace'],
  })
  .prefault({});

type Options = z.output<typeof options>;

/** The tools of VS Code's plug-in ggMCP, whichever of its two dialects it speaks (seed 002). */
export const vscodeIde = defineWorkflow<Options>({
  name: 'vscode-ide',
  description: "VS Code's own tools as vscode_*, through the plug-in ggMCP4VSCode",
  options,
  prefixes: [PREFIX],
  toolNamesBegin: [`${PREFIX}_`],
  create(context) {
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
  },
});

const TRAITS: UpstreamTraits = {
  oneAtATimeBy: [],
  waitingHint: 'The plug-in is there but does not list its tools; VS Code may be busy starting',
  changeHint: 'This is usual after an update of the plug-in',
};

function entryFor({ ports, workspace, url, callMs, ...chosen }: Options): UpstreamEntry {
  const rules = {
    ...chosen,
    key: 'vscode-ide',
    type: 'ide-rest',
    prefix: PREFIX,
    share: 'gateway',
    restart: 'always',
    era: 'legacy',
    timeouts: { ...DEFAULT_TIMEOUTS, listMs: 10_000, callMs, totalMs: 3_600_000 },
    maxConcurrency: 64,
    tools: { allow: ['*'], deny: [] },
    instructions: false,
  } as const;
  // The schema has seen to it that these are ports.
  return url === undefined ? { ...rules, ports: readPorts(ports)!, workspace } : { ...rules, url, headers: {} };
}
