import type { Permissions } from './permissions.ts';

/** The profile of clients that name none. It always exists; it limits nothing unless the config says what it allows. */
export const DEFAULT_PROFILE = 'default';

/** The notification with which `viaduct stdio` names the profile that its client is bound to. */
export const PROFILE_NOTIFICATION = 'notifications/viaduct/profile';

/** The way in which a client came in, as far as it decides what the client may see. */
export interface ClientGrant {
  /** `undefined` only for the commands of the gateway's own user, who sees everything. */
  readonly profile: string | undefined;
  /** The most that it may see, regardless of its profile. */
  readonly access?: Permissions | undefined;
}
