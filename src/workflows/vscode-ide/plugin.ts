import { cleanText } from '../../core/clean-text.ts';
import { GatewayError } from '../../core/errors.ts';
import { shownPorts } from '../../core/port-list.ts';
import type { SyncReport, WindowStatus } from '../../core/provider-status.ts';
import { shownUrl } from '../../core/shown-url.ts';
import type { UpstreamEntry } from '../../core/upstream-entry.ts';
import { connectionFields, type ToolBridge } from '../bridge-tools.ts';
import type { WorkflowUpstream } from '../define.ts';

const INSTALL =
  'Open your project in VS Code and install or switch on the extension ggMCP4VSCode there. Its settings say which port ' +
  'it takes; another than this must be named as workflows.vscode-ide.ports in the config. Then: vscode_bridge_sync';

/** VS Code's plug-in: the windows in which it was found, and the connections to them that all clients share. */
export class Plugin implements ToolBridge {
  readonly #upstream: WorkflowUpstream;
  /** Where it is looked for. */
  readonly #place: string;

  constructor(upstream: WorkflowUpstream, entry: UpstreamEntry) {
    this.#upstream = upstream;
    this.#place = entry.ports === undefined ? shownUrl(entry.url ?? '') : `127.0.0.1:${shownPorts(entry.ports)}`;
  }

  async sync(): Promise<SyncReport> {
    try {
      return await this.#upstream.sync();
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'UPSTREAM_NOT_CONNECTED') throw error;
      throw new GatewayError(error.code, `${error.message}. ${INSTALL}`, { ...error.detail, cause: error });
    }
  }

  async disconnect(): Promise<void> {
    await this.#upstream.disconnect('disconnected by vscode_bridge_disconnect');
  }

  status() {
    const status = this.#upstream.status();
    const fields = connectionFields(status);
    const windows = (status.windows ?? []).map(shownWindow);
    return {
      workflowEnabled: true,
      lookedAt: this.#place,
      pluginFound: fields.connected || windows.length > 0,
      windows,
      whatToDo: adviceFor(fields.connected, windows),
      ...fields,
    };
  }
}

type ShownWindow = ReturnType<typeof shownWindow>;

function shownWindow({ url, dialect, workspace, state, serverInfo }: WindowStatus) {
  return {
    url,
    workspace: workspace === null ? null : cleanText(workspace),
    dialect,
    plugin: pluginOf(serverInfo),
    state,
  };
}

function pluginOf({ name, version }: NonNullable<WindowStatus['serverInfo']> = {}): string | null {
  if (typeof name !== 'string') return null;
  return cleanText(typeof version === 'string' ? `${name} ${version}` : name);
}

function adviceFor(isConnected: boolean, windows: readonly ShownWindow[]): string | null {
  if (!isConnected && windows.length === 0) return INSTALL;
  const isSilent = windows.some(({ workspace }) => workspace === null);
  if (windows.length < 2 && !isSilent) return null;
  const others = "or name the window's folder as workflows.vscode-ide.workspace in the config";
  if (!isSilent)
    return `Calls go to the window that has your folder open; where none has, open it in VS Code, ${others}`;
  return (
    'This version of the plug-in does not say which folder a window has open. A call goes to the window whose folder has ' +
    'the same entries as that of its client, and to none where that is not clear: then close the other windows, or name ' +
    'the url of one as workflows.vscode-ide.url in the config'
  );
}
