import { expect, test } from 'vitest';
import { cgroupIn } from '../../../../src/gateway/shared/cgroup.ts';

const USER = '/user.slice/user-1000.slice';
const MANAGER = `${USER}/user@1000.service`;

test.each([
  ['a login', `${USER}/session-3.scope`],
  ['a terminal', `${MANAGER}/app.slice/app-org.gnome.Terminal.slice/vte-spawn-0f3c.scope`],
  ['an application of GNOME', `${MANAGER}/app.slice/app-gnome-code-4711.scope`],
  ['an application of KDE', `${MANAGER}/app.slice/app-org.kde.konsole@1a2b.service`],
  ['a pane of tmux', `${MANAGER}/tmux-spawn-0f3c.scope`],
])('%s is in the group of its user', (_name, group) => {
  expect(cgroupIn(`0::${group}\n`)).toBe(`0::${USER}`);
});

test.each([
  ['a unit of the system', '/system.slice/agent.service'],
  ['a container', '/docker/0f3c'],
  ['a container of the user', `${MANAGER}/user.slice/libpod-0f3c.scope/container`],
  ['a group with limits', `${MANAGER}/app.slice/run-r0f3c.scope`],
  ['no group', '/'],
])('%s stays as it is', (_name, group) => {
  expect(cgroupIn(`0::${group}\n`)).toBe(`0::${group}`);
});

test('each hierarchy of the first version is looked at', () => {
  const text = `2:cpu:/user.slice/user-7.slice/session-1.scope\n1:name=systemd:/docker/a:b\n`;
  expect(cgroupIn(text)).toBe('2:cpu:/user.slice/user-7.slice\n1:name=systemd:/docker/a:b');
});
