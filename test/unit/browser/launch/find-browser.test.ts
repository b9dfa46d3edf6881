import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { browserPlaces, findBrowser } from '../../../../src/browser/launch/find-browser.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

describe('places', () => {
  test('on Linux: the names of Chrome, Chromium and Edge in PATH and the usual folders', () => {
    const places = browserPlaces({
      platform: 'linux',
      env: { PATH: '/home/me/bin:relative:/usr/bin' },
      homeFolder: '/home/me',
    });
    expect(places.slice(0, 2)).toEqual(['/home/me/bin/google-chrome-stable', '/usr/bin/google-chrome-stable']);
    expect(places).toContain('/usr/bin/chromium');
    expect(places).toContain('/snap/bin/chromium');
    expect(places).toContain('/usr/bin/microsoft-edge');
    expect(places.indexOf('/usr/bin/chromium')).toBeLessThan(places.indexOf('/usr/bin/microsoft-edge'));
    expect(places.every((place) => path.posix.isAbsolute(place))).toBe(true);
    expect(new Set(places).size).toBe(places.length);
  });

  test('on macOS: the applications of everybody and of the user', () => {
    expect(browserPlaces({ platform: 'darwin', env: {}, homeFolder: '/Users/me' })).toEqual([
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Users/me/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      '/Users/me/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ]);
  });

  test('on Windows: the program folders of everybody and of the user', () => {
    const env = { ProgramFiles: 'C:\\Program Files', 'ProgramFiles(x86)': 'C:\\x86', LOCALAPPDATA: 'C:\\me' };
    const places = browserPlaces({ platform: 'win32', env, homeFolder: 'C:\\Users\\me' });
    expect(places[0]).toBe('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe');
    expect(places).toContain('C:\\me\\Chromium\\Application\\chrome.exe');
    expect(places.at(-2)).toBe('C:\\x86\\Microsoft\\Edge\\Application\\msedge.exe');
    expect(browserPlaces({ platform: 'win32', env: {}, homeFolder: '' })).toEqual([]);
  });
});

describe('finding', () => {
  const search = (folder: string) => ({ platform: 'darwin' as const, env: {}, homeFolder: folder });

  function program(file: string, mode = 0o755): string {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, mode);
    return file;
  }

  test('takes the first that is a program', async () => {
    const folder = temporaryFolder();
    const [, chrome, , chromium, , edge] = browserPlaces(search(folder));
    mkdirSync(chrome!, { recursive: true });
    program(chromium!, 0o644);
    program(edge!);
    expect(await findBrowser(undefined, search(folder))).toBe(edge);
  });

  test('says where it has looked and how to install one', async () => {
    const folder = temporaryFolder();
    const message = await findBrowser(undefined, search(folder)).catch((error: Error) => error.message);
    expect(message).toContain(
      'no browser was found. Install Chrome, Chromium or Edge (brew install --cask google-chrome)',
    );
    expect(message).toContain('workflows.webview.browser');
    expect(message).toContain(path.join(folder, 'Applications', 'Chromium.app', 'Contents', 'MacOS'));
  });

  test('a path of the config is the only one', async () => {
    const folder = temporaryFolder();
    program(browserPlaces(search(folder))[1]!);
    const own = program(path.join(folder, 'own'));
    expect(await findBrowser(own, search(folder))).toBe(own);
    const missing = path.join(folder, 'missing');
    await expect(findBrowser(missing, search(folder))).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: `workflows.webview.browser in the config is "${missing}": there is no program at this path`,
    });
    await expect(findBrowser('chrome', search(folder))).rejects.toThrow('it must be an absolute path');
  });
});
