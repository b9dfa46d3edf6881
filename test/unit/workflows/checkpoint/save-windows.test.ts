import { expect, test } from 'vitest';
import { type HeldSave, SaveWindows } from '../../../../src/workflows/checkpoint/save-windows.ts';

const save = (text: string): HeldSave<string> => ({ projectId: 'p', sourceIde: 'cursor', save: text });

/** Windows whose writes end when the test says so. */
function setup() {
  const written: string[] = [];
  const ends: ((left: readonly HeldSave<string>[]) => void)[] = [];
  const windows = new SaveWindows<string>({
    windowMs: 60_000,
    write: (_project, saves) => {
      written.push(...saves.map((held) => held.save));
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  return { windows, written, end: (left: readonly HeldSave<string>[] = []) => ends.shift()!(left) };
}

test('a project is not dropped while one of its saves is being written', async () => {
  const { windows, written, end } = setup();
  windows.hold(save('first'));
  const flushed = windows.flush('p');
  await expect.poll(() => written).toEqual(['first']);
  let isDropped = false;
  const dropped = windows.drop('p').then(() => {
    isDropped = true;
  });
  await new Promise(setImmediate);
  expect(isDropped).toBe(false);
  end();
  await Promise.all([flushed, dropped]);
});

test('saves that wait behind a write when their project is dropped are never written', async () => {
  const { windows, written, end } = setup();
  windows.hold(save('first'));
  void windows.flush('p');
  await expect.poll(() => written).toEqual(['first']);
  windows.hold(save('second'));
  void windows.flush('p');
  windows.hold(save('third'));
  const dropped = windows.drop('p');
  end();
  await dropped;
  await windows.stop();
  expect(written).toEqual(['first']);
});

test('a save that could not be written is not tried again once its project is dropped, one that came later is', async () => {
  const { windows, written, end } = setup();
  windows.hold(save('first'));
  void windows.flush('p');
  await expect.poll(() => written).toEqual(['first']);
  const dropped = windows.drop('p');
  windows.hold(save('later'));
  end([save('first')]);
  await dropped;
  expect(windows.heldFor('p').map((held) => held.save)).toEqual(['later']);
  void windows.flush('p');
  await expect.poll(() => written).toEqual(['first', 'later']);
  end();
});
