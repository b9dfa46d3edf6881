import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { userFolders } from '../../../src/agents/user-folders.ts';

const home = path.resolve('/home/ada');
const below = (...names: string[]) => path.join(home, ...names);

describe('the folders of a user', () => {
  test('are in ~/.config on Linux', () => {
    expect(userFolders({ HOME: '/elsewhere' }, { home, platform: 'linux' })).toEqual({
      home,
      claudeFile: below('.claude.json'),
      claudeFolder: below('.claude'),
      claudeDesktop: below('.config', 'Claude'),
      vscodeUser: below('.config', 'Code', 'User'),
      cursorUser: below('.config', 'Cursor', 'User'),
      zed: below('.config', 'zed'),
      codex: below('.codex'),
      windsurf: below('.codeium', 'windsurf'),
    });
  });

  test('are in Application Support on macOS, except for Zed', () => {
    const user = userFolders({}, { home, platform: 'darwin' });
    expect(user.cursorUser).toBe(below('Library', 'Application Support', 'Cursor', 'User'));
    expect(user.zed).toBe(below('.config', 'zed'));
  });

  test('are in AppData on Windows', () => {
    expect(userFolders({}, { home, platform: 'win32' })).toMatchObject({
      claudeDesktop: below('AppData', 'Roaming', 'Claude'),
      zed: below('AppData', 'Roaming', 'Zed'),
    });
    expect(userFolders({ APPDATA: '/roaming' }, { home, platform: 'win32' }).zed).toBe(path.join('/roaming', 'Zed'));
  });

  test('are where the environment says', () => {
    const env = { XDG_CONFIG_HOME: '/config', CLAUDE_CONFIG_DIR: '/claude', CODEX_HOME: '/codex' };
    expect(userFolders(env, { home, platform: 'linux' })).toMatchObject({
      claudeFile: path.join('/claude', '.claude.json'),
      claudeFolder: '/claude',
      zed: path.join('/config', 'zed'),
      codex: '/codex',
    });
  });
});
