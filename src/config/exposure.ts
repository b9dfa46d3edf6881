import { isLoopbackHost } from '../core/loopback.ts';

/** What decides whether others than this machine's users can reach the endpoint, and whether they are kept out. */
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

/** Why an endpoint must not listen on `host`; `undefined` where it may. */
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
