import type { ListenAddress } from '../../core/addresses/listen-address.ts';
import { isLoopbackHost } from '../../core/addresses/loopback.ts';

/** The settings that keep users of other machines out. */
export interface Protection {
  readonly tokens: boolean;
  readonly oauth: boolean;
  readonly tls: boolean;
  readonly behindProxy: boolean;
}

export interface ExposureProblem {
  readonly message: string;
  readonly hint: string;
}

/** Returns why an endpoint must not listen on `host`; `undefined` if it may. */
export function exposureProblem(host: string, protection: Protection): ExposureProblem | undefined {
  const { tokens, oauth, tls, behindProxy } = protection;
  const isLocal = isLoopbackHost(host);
  if (isLocal && !behindProxy) return undefined;
  const where = isLocal ? 'behind a proxy' : 'beyond loopback';
  if (!tokens && !oauth) {
    return {
      message: `${where} clients must prove who they are: server.tokens or server.oauth is needed`,
      hint: 'make a token: viaduct token create NAME --write; or listen on 127.0.0.1, ::1 or localhost',
    };
  }
  if (isLocal || tls || behindProxy) return undefined;
  return {
    message: 'beyond loopback tokens must not travel in the clear: server.tls is needed',
    hint: 'tls: { cert: FILE, key: FILE }; or behindProxy: true where a proxy in front speaks TLS',
  };
}

/**
 * Says why lines over TCP must not be taken at an address; `undefined` if they may. A proxy in front that speaks HTTP
 * protects no such port. A socket in a folder of this user's is not open to other users.
 */
export function tcpExposureProblem(
  address: ListenAddress,
  protection: Omit<Protection, 'behindProxy'>,
): ExposureProblem | undefined {
  if (address.path !== undefined) return undefined;
  const problem = exposureProblem(address.host, { ...protection, behindProxy: false });
  if (problem === undefined || !(protection.tokens || protection.oauth)) return problem;
  return { ...problem, hint: 'tls: { cert: FILE, key: FILE }; or listen on 127.0.0.1, ::1 or localhost' };
}
