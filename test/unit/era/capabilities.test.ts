import { expect, test } from 'vitest';
import { missingCapability, requiredCapabilities } from '../../../src/era/capabilities.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../src/wire/message.ts';

const ask = (method: string, params: object = {}) =>
  readMessage(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))) as RequestMessage;
const URL = { mode: 'url' };

test.each([
  ['roots/list', {}, { roots: {} }, undefined],
  ['roots/list', {}, {}, 'roots'],
  ['sampling/createMessage', {}, { sampling: {} }, undefined],
  ['sampling/createMessage', {}, { roots: {} }, 'sampling'],
  // Before there were modes there were forms only.
  ['elicitation/create', {}, { elicitation: {} }, undefined],
  ['elicitation/create', {}, { elicitation: { form: {} } }, undefined],
  ['elicitation/create', { mode: 'form' }, { elicitation: { url: {} } }, 'elicitation.form'],
  ['elicitation/create', URL, { elicitation: { form: {}, url: {} } }, undefined],
  ['elicitation/create', URL, { elicitation: {} }, 'elicitation.url'],
  ['elicitation/create', URL, { elicitation: { form: {} } }, 'elicitation.url'],
  ['elicitation/create', URL, { elicitation: null }, 'elicitation.url'],
  ['elicitation/create', {}, {}, 'elicitation'],
  ['elicitation/create', { mode: 7 }, { elicitation: { form: {} } }, undefined],
  ['tools/list', {}, { roots: {} }, 'tools/list'],
])('%s %j of a client with %j lacks %s', (method, params, capabilities, missing) => {
  expect(missingCapability(ask(method, params), capabilities)).toBe(missing);
});

test.each([
  ['roots', { roots: {} }],
  ['elicitation.url', { elicitation: { url: {} } }],
])('%s is declared as %j', (missing, expected) => {
  expect(requiredCapabilities(missing)).toEqual(expected);
});
