import type { CallingClient } from '../../define.ts';
import { mayUse } from '../../project-access.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { IdeBuilds } from '../builds/builds.ts';
import type { Chat } from '../chat/chat.ts';
import type { Dashboard } from '../dashboard/dashboard.ts';

/** The parts that the tools of the workflow have in common. */
export interface Toolbox {
  /** `undefined` if the config names no IDE backend. */
  readonly bridge: Bridge | undefined;
  readonly chat: Chat;
  readonly builds: IdeBuilds;
  readonly dashboard: Dashboard;
}

/**
 * Returns the bridge for a client that may use it. The backend does not tell projects apart, so a client that is limited to some
 * projects works with the gateway's own sessions and builds instead.
 */
export function bridgeFor({ bridge }: Toolbox, client: CallingClient): Bridge | undefined {
  return mayUse(client, undefined) ? bridge : undefined;
}
