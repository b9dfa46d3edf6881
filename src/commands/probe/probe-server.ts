import { parseConfig } from '../../config/load.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { type OpenGateway, openGateway } from '../../gateway/client/open-gateway.ts';
import { loadOptions } from '../../gateway/settings/load-settings.ts';
import { homeFolder } from '../../gateway/settings/paths.ts';
import { ConfigNotices } from '../../gateway/trust/notices.ts';
import { createLog } from '../../telemetry/log.ts';
import { Masker } from '../../telemetry/masker.ts';

interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

export interface ProbeOptions {
  readonly env: Environment;
  /** The number of tool names that are printed. */
  readonly names: number;
  readonly print: (line: string) => void;
}

const CONFIG = 'schemaVersion: 1\nenabledWorkflows: [xcode-ide]\n';

/**
 * Tries Apple's bridge on this machine and prints what it finds: the server, its tools, the open windows and their tab
 * identifiers. Returns whether Xcode answered.
 */
export async function probe({ env, names, print }: ProbeOptions): Promise<boolean> {
  const home = homeFolder(env);
  const configPath = `${home}/probe.yaml`;
  const config = parseConfig(CONFIG, { ...loadOptions(env), path: configPath });
  const masker = new Masker();
  const gateway = await openGateway(
    { config, configPath, notices: new ConfigNotices([]), home, masker, log: createLog({ level: 'silent', masker }) },
    env,
    { name: 'viaduct probe' },
  );
  try {
    return await probeWith(gateway, names, print);
  } finally {
    await gateway.close();
  }
}

async function probeWith(gateway: OpenGateway, names: number, print: (line: string) => void): Promise<boolean> {
  const before = await statusOf(gateway);
  print(`bridge    ${before.bridgeAvailable === true ? String(before.bridgePath) : 'not available'}`);
  if (before.bridgeAvailable !== true) {
    print(`problem   ${String(before.bridgeProblem)}`);
    return false;
  }
  print(`Xcode     ${before.xcodeRunning === true ? 'running' : 'does not seem to run: start it and open a project'}`);
  const sync = await callTool(gateway, 'xcode_tools_bridge_sync');
  const after = await statusOf(gateway);
  printServer(after, print);
  if (sync.isError === true) {
    print(`problem   ${textOf(sync)}`);
    return false;
  }
  await printTools(gateway, names, print);
  await printWindows(gateway, print);
  return true;
}

async function callTool(gateway: OpenGateway, name: string): Promise<ToolResult> {
  return (await gateway.client.request('tools/call', { name, arguments: {} })) as ToolResult;
}

async function statusOf(gateway: OpenGateway): Promise<Record<string, unknown>> {
  return (await callTool(gateway, 'xcode_tools_bridge_status')).structuredContent ?? {};
}

function textOf(result: ToolResult): string {
  return (result.content ?? []).map((block) => block.text ?? '').join('\n');
}

function printServer(status: Record<string, unknown>, print: (line: string) => void): void {
  const { name = 'unknown', version = '' } = (status.serverInfo ?? {}) as Record<string, unknown>;
  print(`server    ${String(name)} ${String(version)} (protocol ${String(status.protocolVersion)})`);
  print(`session   ${String(status.xcodeSessionId)}`);
}

async function printTools(gateway: OpenGateway, names: number, print: (line: string) => void): Promise<void> {
  const { tools } = (await gateway.client.request('tools/list')) as { tools: { name: string }[] };
  const xcode = tools.filter(({ name }) => name.startsWith('xcode_tools_') && !name.startsWith('xcode_tools_bridge_'));
  print(`tools     ${xcode.length}`);
  for (const { name } of xcode.slice(0, names)) print(`          ${name}`);
  if (xcode.length > names) print(`          … ${xcode.length - names} more`);
}

async function printWindows(gateway: OpenGateway, print: (line: string) => void): Promise<void> {
  const windows = await callTool(gateway, 'xcode_tools_XcodeListWindows').catch((error: Error) => failed(error));
  const text = textOf(windows);
  const found = [...text.matchAll(/(?:tabIdentifier|workspaceIdentifier): ([^,\s]+), workspacePath: ([^\n\\"]+)/g)];
  if (windows.isError === true || found.length === 0) {
    print(`windows   none. XcodeListWindows said: ${cutText(text, 500)}`);
    return;
  }
  print(`windows   ${found.length}`);
  for (const [, identifier, path] of found) print(`          ${identifier}  ${path}`);
}

function failed(error: Error): ToolResult {
  return { isError: true, content: [{ type: 'text', text: error.message }] };
}
