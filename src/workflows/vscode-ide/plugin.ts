import { shownPorts } from '../../core/addresses/port-list.ts';
import { shownUrl } from '../../core/addresses/shown-url.ts';
import { GatewayError } from '../../core/errors.ts';
import type { SyncReport, UpstreamStatus, WindowStatus } from '../../core/providers/provider-status.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { cleanText } from '../../core/text/clean-text.ts';
import { connectionFields, type ToolBridge } from '../bridge-tools.ts';
import type { WorkflowUpstream } from '../define.ts';

const OPEN = 'Open your project in VS Code and install or switch on the extension ggMCP4VSCode there.';
const INSTALL = `${OPEN} Its settings say which port it takes; another than this must be named as workflows.vscode-ide.ports in the config. Then: vscode_bridge_sync`;
const INSTALL_AT_URL = `${OPEN} Its settings say which port it takes; if it is another than that of workflows.vscode-ide.url in the config, correct the url there. Then: vscode_bridge_sync`;
const REOPEN =
  'VS Code, or the extension ggMCP4VSCode in it, was closed: open your project in VS Code again. The tools come back by ' +
  'themselves within a minute, and at once with vscode_bridge_sync';
const RECONNECT = 'The plug-in was disconnected: vscode_bridge_sync connects it again';

/** VS Code's plug-in: the windows in which it was found, and the connections to them that all clients share. */
export class Plugin implements ToolBridge {
  readonly #upstream: WorkflowUpstream;
  /** The places that are searched for it, in words. */
  readonly #place: string;
  readonly #hasUrl: boolean;

  constructor(upstream: WorkflowUpstream, entry: UpstreamEntry) {
    this.#upstream = upstream;
    this.#hasUrl = entry.ports === undefined;
    this.#place = entry.ports === undefined ? shownUrl(entry.url ?? '') : `127.0.0.1:${shownPorts(entry.ports)}`;
  }

  async sync(): Promise<SyncReport> {
    try {
      return await this.#upstream.sync();
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'UPSTREAM_NOT_CONNECTED') throw error;
      throw new GatewayError(error.code, `${error.message}. ${this.#advice(this.#upstream.status())}`, {
        ...error.detail,
        cause: error,
      });
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
      whatToDo: fields.connected || windows.length > 0 ? adviceFor(windows) : this.#advice(status),
      ...fields,
    };
  }

  get #install(): string {
    return this.#hasUrl ? INSTALL_AT_URL : INSTALL;
  }

  /** Advice while no plug-in is connected. */
  #advice({ state, starts, lastSync }: UpstreamStatus): string {
    if (state === 'stopped' || state === 'stopping') return RECONNECT;
    const wasThere = this.#hasUrl ? lastSync !== undefined : starts > 0;
    return wasThere ? REOPEN : this.#install;
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

function adviceFor(windows: readonly ShownWindow[]): string | null {
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
