import { expect, test } from 'vitest';
import { checkBrowser } from '../../../../../src/commands/doctor/checks/browser-check.ts';

test('a browser that is there is named', async () => {
  expect(await checkBrowser({ browser: process.execPath })).toEqual({
    name: 'browser',
    mark: 'ok',
    text: `${process.execPath} can be started for agents`,
  });
});

test('one that is not there is a warning: agents may connect to the browser of their user', async () => {
  expect(await checkBrowser({ browser: '/nowhere/chrome' })).toMatchObject({
    mark: 'warn',
    text: expect.stringContaining('/nowhere/chrome'),
    fix: expect.stringContaining('debug_url'),
  });
});
