import type { StdioEntry } from '../core/settings/upstream-entry.ts';
import { isShortPath, joinPaths, type LoginPath } from './login-path.ts';

type ChildEnvironment = Record<string, string>;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The variables that every program needs to find its files and to reach the network; an entry must list all others. */
const ALLOWED = new Set(
  words(`
    PATH HOME USER LOGNAME SHELL TERM LANG TZ TMPDIR SSH_AUTH_SOCK DEVELOPER_DIR
    HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
    SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  `),
);

/** The variables without which no program starts on Windows. */
const ALLOWED_ON_WINDOWS = new Set(
  words(`
    PATH PATHEXT SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP USERNAME USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA
    PROGRAMFILES PROGRAMFILES(X86) HOMEDRIVE HOMEPATH PROCESSOR_ARCHITECTURE
  `),
);

const ALLOWED_PREFIXES = ['LC_', 'XDG_'];

function isAllowed(name: string): boolean {
  if (ALLOWED.has(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix))) return true;
  return process.platform === 'win32' && ALLOWED_ON_WINDOWS.has(name.toUpperCase());
}

/**
 * Returns a variable as we spell it. Windows does not tell `Path` from `PATH`: there all are in capitals, so that none is
 * there twice.
 */
export function variableName(name: string): string {
  return process.platform === 'win32' ? name.toUpperCase() : name;
}

/**
 * Returns the environment of a process: the allow-list (or everything, if the entry says so) and the entry's own `env` on
 * top.
 */
export async function environmentFor(
  entry: Pick<StdioEntry, 'env' | 'inheritEnv'>,
  gatewayEnv: Readonly<Record<string, string | undefined>>,
  loginPath: LoginPath,
): Promise<ChildEnvironment> {
  const env: ChildEnvironment = {};
  for (const [name, value] of Object.entries(gatewayEnv)) {
    if (value !== undefined && (entry.inheritEnv || isAllowed(name))) env[variableName(name)] = value;
  }
  if (process.platform !== 'win32' && isShortPath(env.PATH)) env.PATH = joinPaths(await loginPath.ask(), env.PATH);
  for (const [name, value] of Object.entries(entry.env)) env[variableName(name)] = value;
  return env;
}
