import type { Principal } from '../../core/access/principal.ts';
import type { LegacyIntroduction } from '../legacy/introduction.ts';
import type { ListNotices } from '../legacy/list-notices.ts';
import type { ClientLogLevel } from '../legacy/log-level.ts';
import type { SessionHost } from '../session-host.ts';

/** A legacy client, as far as the gateway needs it to answer a request by itself. */
export interface LocalClient {
  readonly id: string;
  readonly principal: Principal | undefined;
  readonly host: SessionHost;
  readonly introduction: LegacyIntroduction;
  readonly logLevel: ClientLogLevel;
  readonly lists: ListNotices;
}
