import { expect, test } from 'vitest';
import { LoginPath } from '../../../../src/process/login-path.ts';
import { browserEnvironment } from '../../../../src/workflows/webview/browser-environment.ts';

test('a browser gets what it needs for windows, and no secret of the gateway', async () => {
  const needed = {
    PATH: '/usr/bin:/bin:/opt/own/bin',
    HOME: '/home/me',
    XDG_RUNTIME_DIR: '/run/user/1',
    DISPLAY: ':1',
    WAYLAND_DISPLAY: 'wayland-1',
    XAUTHORITY: '/home/me/.Xauthority',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus',
  };
  const secrets = { GITHUB_TOKEN: 'ghp_x', VIADUCT_HOME: '/home/me/.viaduct', AWS_SECRET_ACCESS_KEY: 'x' };
  const env = await browserEnvironment({ ...needed, ...secrets, XAUTHORITY: undefined }, new LoginPath({}));
  const { XAUTHORITY: _missing, ...rest } = needed;
  expect(env).toEqual({ ...rest, PATH: expect.stringContaining('/opt/own/bin') });
});
