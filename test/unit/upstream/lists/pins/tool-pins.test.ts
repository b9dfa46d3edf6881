import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Descriptor } from '../../../../../src/core/providers/provider.ts';
import { PinReview } from '../../../../../src/gateway/providers/pin-review.ts';
import { PinFiles } from '../../../../../src/store/pin-files.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import { ToolPins } from '../../../../../src/upstream/lists/pins/tool-pins.ts';
import { temporaryFolder } from '../../../../support/gateway.ts';
import { entry } from '../../../catalogue/provider.ts';

const tool = (name: string, description = name): Descriptor =>
  entry('tool', JSON.stringify({ name, description, inputSchema: { type: 'object' } }));

type Line = { event: string; tool?: string; msg: string };

function setUp(mode: 'warn' | 'enforce', changeHint = '', onLogged: (line: Line) => void = () => undefined) {
  const folder = path.join(temporaryFolder(), 'pins');
  const lines: Line[] = [];
  const onLine = (text: string) => {
    lines.push(JSON.parse(text));
    onLogged(lines.at(-1)!);
  };
  const log = createLog({ level: 'info', destination: { write: (line) => onLine(line) } });
  const open = () => {
    const pins = new PinFiles({ folder, config: '/viaduct.yaml', onError: () => undefined });
    return new ToolPins({ entry: { key: 'up', pins: mode }, traits: { changeHint }, pins, log });
  };
  const damage = () => {
    for (const file of readdirSync(folder)) writeFileSync(path.join(folder, file), '{');
  };
  mkdirSync(folder);
  const desk = new PinReview(new PinFiles({ folder, config: '/viaduct.yaml', onError: () => undefined }));
  return { open, damage, lines, desk };
}

const names = (tools: readonly Descriptor[]) => tools.map(({ ownName }) => ownName);

test('a list without tools is not yet the first', () => {
  const pins = setUp('enforce').open();
  pins.reviewRead([], []);
  expect(names(pins.reviewRead([tool('a')], []).offered)).toEqual(['a']);
  expect(names(pins.reviewRead([tool('a'), tool('b')], []).offered)).toEqual(['a']);
});

test('a list of an earlier run approves nothing', () => {
  const pins = setUp('enforce').open();
  expect(names(pins.reviewKnown([tool('a')]).offered)).toEqual(['a']);
  expect(names(pins.reviewRead([tool('b')], []).offered)).toEqual(['b']);
  expect(names(pins.reviewKnown([tool('a')]).offered)).toEqual([]);
});

test('tools that the config denies at first are approved with the others', () => {
  const { open } = setUp('enforce');
  open().reviewRead([tool('a')], [tool('denied')]);
  expect(names(open().reviewRead([tool('a'), tool('denied')], []).offered)).toEqual(['a', 'denied']);
});

test('with warn, damaged pins are taken as if there were none', () => {
  const { open, damage, lines } = setUp('warn');
  open().reviewRead([tool('a')], []);
  damage();
  const pins = open();
  pins.reviewKnown([tool('a')]);
  expect(pins.reviewRead([tool('a', 'changed')], []).counts).toEqual({ changed: 0, new: 0, withheld: 0 });
  expect(lines.map(({ event }) => event)).toEqual(['pin-first', 'pin-first']);
});

test('with enforce, damaged pins approve nothing, and what is known is there to be accepted', () => {
  const { open, damage } = setUp('enforce');
  open().reviewRead([tool('a')], []);
  damage();
  expect(open().reviewKnown([tool('a')]).counts).toEqual({ changed: 0, new: 1, withheld: 1 });
  expect(names(open().reviewRead([tool('a')], []).offered)).toEqual([]);
});

test('the log says what the upstream’s workflow knows of such changes', () => {
  const { open, lines } = setUp('warn', 'This is usual after an update');
  open().reviewRead([tool('a')], []);
  open().reviewRead([tool('a', 'changed')], []);
  expect(lines[1]).toMatchObject({ event: 'pin-changed', tool: 'a', members: ['description'] });
  expect(lines[1]!.msg).toContain('This is usual after an update. See: viaduct pins diff up');
});

test('what a command approves while a list is looked at stays approved', () => {
  const { open, desk } = setUp('enforce', '', ({ event, tool: name }) => {
    if (event === 'pin-changed' && name === 'a') desk.accept('up', ['b']);
  });
  open().reviewRead([tool('a'), tool('b')], []);
  open().reviewRead([tool('a'), tool('b', 'new')], []);
  open().reviewRead([tool('a', 'new'), tool('b', 'new')], []);
  expect(desk.list().map(({ tool: name, state }) => [name, state])).toEqual([
    ['a', 'withheld'],
    ['b', 'ok'],
  ]);
});
