import type { Environment } from '../../core/settings/environment.ts';

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

/** Passwords of the proxies that the environment names, as they are written and as they are meant. */
export function proxySecrets(env: Environment): string[] {
  return PROXY_VARIABLES.flatMap((name) => [env[name], env[name.toLowerCase()]]).flatMap((value = '') => {
    const password = /^(?:\w+:\/\/)?[^/@:]*:(.+)@/.exec(value)?.[1];
    return password === undefined ? [] : [password, decoded(password)];
  });
}

/** Percent signs of a text that was not encoded stand for themselves. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
