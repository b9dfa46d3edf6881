import { serviceUrl } from '../core/addresses/service-url.ts';
import type { Environment } from '../core/settings/environment.ts';

/** Returns the address of Ollama: that of the config, else `OLLAMA_BASE_URL`, else this machine. The variable may be `host:port`. */
export function ollamaUrl(url: string | undefined, env: Environment): string {
  return url ?? withScheme(env.OLLAMA_BASE_URL || 'localhost:11434');
}

function withScheme(address: string): string {
  return address.includes('://') ? address : `http://${address}`;
}

/**
 * Returns the problem with an address that may come from the environment, which has not been checked before.
 * @returns `undefined` if it can be used
 */
export function problemOfUrl(url: string): string | undefined {
  const checked = serviceUrl.safeParse(url);
  return checked.success ? undefined : `OLLAMA_BASE_URL ${checked.error.issues[0]!.message}`;
}

/** Returns the full address of a path of a service, such as `/api/chat`. */
export function endpoint(url: string, path: string): string {
  return `${url.replace(/\/$/, '')}${path}`;
}

/** Does the same for APIs with a version: a url without a path is that of a server, one with a path has the version in it. */
export function versionedEndpoint(url: string, path: string): string {
  return endpoint(url, new URL(url).pathname === '/' ? `/v1${path}` : path);
}
