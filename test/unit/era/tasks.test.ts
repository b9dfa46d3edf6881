import { expect, test } from 'vitest';
import { canDo, declaresTasks, hasTasks, withoutTasks } from '../../../src/era/tasks.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';

test.each([
  ['{}', false],
  ['{"extensions":{}}', false],
  ['{"extensions":null}', false],
  [`{"${EXTENSION}":{},"extensions":{}}`, false],
  [`{"tasks":{},"x":"extensions ${EXTENSION}"}`, false],
  [`{"extensions":{"${EXTENSION}":{}}}`, true],
  ['{"extensions":{"io.modelcontextprotocol\\/tasks":{}}}', true],
])('a client with %s declares the extension: %s', (capabilities, declares) => {
  expect(declaresTasks(capabilities)).toBe(declares);
});

test.each([
  ['legacy', { tasks: {} }, true],
  ['legacy', { extensions: { [EXTENSION]: {} } }, false],
  ['modern', { tasks: {} }, false],
  ['modern', { extensions: { [EXTENSION]: {} } }, true],
] as const)('a %s server with %j runs tasks: %s', (era, capabilities, has) => {
  expect(hasTasks(era, capabilities)).toBe(has);
});

test('listing and cancelling are declared apart', () => {
  expect([canDo('list', { tasks: { list: {} } }), canDo('cancel', { tasks: { list: {} } })]).toEqual([true, false]);
  expect(canDo('list', {})).toBe(false);
});

test('what a legacy client says of tasks does not reach the other era', () => {
  expect(withoutTasks({ roots: {}, tasks: { list: {} }, extensions: { [EXTENSION]: {}, other: 1 } })).toEqual({
    roots: {},
    extensions: { other: 1 },
  });
  expect(withoutTasks({ roots: {} })).toEqual({ roots: {} });
});
