import type { Config, ServerConfig, TokenConfig } from '../../config/schema.ts';
import { isLoopbackHost } from '../../core/addresses/loopback.ts';
import { AccessTokens } from '../../downstream/http/auth/access-tokens.ts';
import { Authenticator, OPEN_ACCESS } from '../../downstream/http/auth/authenticator.ts';
import { FailureThrottle } from '../../downstream/http/auth/failure-throttle.ts';
import { type StaticToken, StaticTokens } from '../../downstream/http/auth/static-tokens.ts';
import type { HttpSettings } from '../../downstream/http/server/server-options.ts';
import type { Log } from '../../telemetry/log.ts';

/** Makes of a config what the HTTP server works with; keeps, from one config to the next, what is known of keys and failures. */
export class HttpSettingsMaker {
  readonly #log: Log;
  readonly #throttle = new FailureThrottle();
  #oauth: { readonly text: string; readonly tokens: AccessTokens } | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  make({ server, limits, workspace }: Config): HttpSettings {
    const { audience } = server.oauth ?? {};
    return {
      allowedHosts: [...server.allowedHosts, ...(audience === undefined ? [] : [new URL(audience).host])],
      allowedOrigins: server.allowedOrigins,
      maxBodyBytes: Math.min(limits.frameBytes, limits.bodyBytes),
      requestsPerMinute: limits.requestsPerMinute,
      connectionsPerAddress: limits.connectionsPerAddress,
      behindProxy: server.behindProxy,
      sessionless: server.sessionless ?? (isLoopbackHost(server.host) && !server.behindProxy),
      // A script cannot be asked for its folder, and where there is one workspace it can mean no other.
      sessionlessFolder: workspace.roots.length === 1 ? workspace.roots[0]!.folder : undefined,
      auth: this.#auth(server),
    };
  }

  #auth(server: ServerConfig): HttpSettings['auth'] {
    if (server.tokens === undefined && server.oauth === undefined) return OPEN_ACCESS;
    return new Authenticator({
      tokens: new StaticTokens((server.tokens ?? []).map(staticToken)),
      oauth: this.#accessTokens(server.oauth),
      throttle: this.#throttle,
      log: this.#log,
    });
  }

  #accessTokens(oauth: ServerConfig['oauth']): AccessTokens | undefined {
    if (oauth === undefined) return undefined;
    const text = JSON.stringify(oauth);
    if (this.#oauth?.text !== text) {
      this.#oauth = { text, tokens: new AccessTokens({ ...oauth, jwksUrl: oauth.jwksUrl }) };
    }
    return this.#oauth.tokens;
  }
}

function staticToken({ name, hash, access, expires }: TokenConfig): StaticToken {
  return {
    name,
    digest: Buffer.from(hash.slice('sha256:'.length), 'hex'),
    access,
    expiresAt: expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires),
  };
}
