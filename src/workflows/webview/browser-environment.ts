import { environmentFor } from '../../process/environment.ts';
import type { LoginPath } from '../../process/login-path.ts';

/** Variables that name the user's screen, and the desktop's other programs. */
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'];

/**
 * Returns the environment of a browser: what every program gets, and what it needs to open windows. The gateway's secrets are not
 * in it.
 * @param env the gateway's own
 */
export function browserEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  loginPath: LoginPath,
): Promise<Record<string, string>> {
  const desktop = DESKTOP.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return environmentFor({ env: Object.fromEntries(desktop), inheritEnv: false }, env, loginPath);
}
