import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { hasBrowser, openUrl } from '../../../../src/commands/auth/open-url.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

test.runIf(process.platform === 'linux')('an address reaches the opener as one word, whatever is in it', async () => {
  const folder = temporaryFolder();
  const seen = path.join(folder, 'seen');
  writeFileSync(
    path.join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf '%s|' "$@" > '${seen}.new' && mv '${seen}.new' '${seen}'\n`,
  );
  chmodSync(path.join(folder, 'xdg-open'), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  const url = new URL(`https://as.example.com/a$(touch ${folder}/made);\`touch ${folder}/made\`&b="c"|d`).href;
  openUrl(url);
  await expect.poll(() => existsSync(seen)).toBe(true);
  expect(readFileSync(seen, 'utf8')).toBe(`${url}|`);
  expect(existsSync(path.join(folder, 'made'))).toBe(false);
  vi.unstubAllEnvs();
});

test.each([
  ['a desktop', { DISPLAY: ':0' }, true, true],
  ['no terminal', { DISPLAY: ':0' }, false, false],
  ['another machine', { DISPLAY: ':0', SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22' }, true, false],
])('a browser is opened or not: %s', (_name, env, isTerminal, is) => {
  expect(hasBrowser(env, isTerminal)).toBe(is);
});
