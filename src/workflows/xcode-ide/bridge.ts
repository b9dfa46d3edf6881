import { GatewayError } from '../../core/errors.ts';
import type { SyncReport } from '../../core/providers/provider-status.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { cleanText } from '../../core/text/clean-text.ts';
import { connectionFields, type ToolBridge } from '../bridge-tools.ts';
import type { WorkflowUpstream } from '../define.ts';
import { isXcodeRunning, type Located, locateBridge } from './locate-bridge.ts';

/** The number of the newest lines of the bridge's standard error in the status. */
const STDERR_LINES = 5;
const START_XCODE = 'Xcode is not running: start Xcode and open a project, then call xcode_tools_bridge_sync (once)';
const CONNECT = 'The bridge is not connected: call xcode_tools_bridge_sync (once), and allow it in the dialog of Xcode';

export interface BridgeIdentity {
  /** The process id of Xcode, as the user gave it. */
  readonly xcodePid: string | undefined;
  readonly sessionId: string;
}

/** Apple's bridge: whether it is there, and the one connection to it that all clients share. */
export class Bridge implements ToolBridge {
  readonly upstream: WorkflowUpstream;
  readonly identity: BridgeIdentity;
  readonly #env: Environment;
  #located: Located = { reason: 'not looked for yet' };

  constructor(upstream: WorkflowUpstream, identity: BridgeIdentity, env: Environment) {
    this.upstream = upstream;
    this.identity = identity;
    this.#env = env;
  }

  /** Connects if the bridge is there; what went wrong is in the status. */
  async start(): Promise<void> {
    if (await this.#isThere()) this.upstream.start();
  }

  /**
   * One connect and sync.
   * @throws GatewayError that says what the user has to do.
   */
  async sync(): Promise<SyncReport> {
    if (!(await this.#isThere())) {
      throw new GatewayError('UPSTREAM_NOT_CONNECTED', `Xcode's bridge is not available: ${this.#reason()}`, {
        effect: 'none',
      });
    }
    return await this.upstream.sync();
  }

  async disconnect(): Promise<void> {
    await this.upstream.disconnect('disconnected by xcode_tools_bridge_disconnect');
  }

  async status() {
    const [located, xcodeRunning] = await Promise.all([locateBridge(this.#env), isXcodeRunning(this.#env)]);
    this.#located = located;
    const status = this.upstream.status();
    return {
      workflowEnabled: true,
      bridgeAvailable: 'path' in located,
      bridgePath: 'path' in located ? located.path : null,
      ...('reason' in located && { bridgeProblem: located.reason }),
      xcodeRunning,
      bridgePid: status.pid ?? null,
      xcodePid: this.identity.xcodePid ?? null,
      xcodeSessionId: this.identity.sessionId,
      bridgeStderr: status.stderr.slice(-STDERR_LINES).map((line) => cleanText(line)),
      ...connectionFields(status),
      ...('path' in located && nextStep(xcodeRunning, status.state)),
    };
  }

  #reason(): string {
    return 'reason' in this.#located ? this.#located.reason : 'unknown';
  }

  async #isThere(): Promise<boolean> {
    this.#located = await locateBridge(this.#env);
    if ('path' in this.#located) return true;
    await this.upstream.disconnect(this.#located.reason);
    return false;
  }
}

/** Advice for the user while Xcode's bridge is there and not connected. */
function nextStep(isXcodeRunning: boolean, state: string): { readonly nextStep?: string } {
  if (state === 'ready') return {};
  if (!isXcodeRunning) return { nextStep: START_XCODE };
  return state === 'stopped' || state === 'failed' ? { nextStep: CONNECT } : {};
}
