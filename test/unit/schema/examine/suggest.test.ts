import { expect, test } from 'vitest';
import { nearestName } from '../../../../src/schema/examine/suggest.ts';

test.each([
  ['path', ['pth'], 'pth'],
  ['path', ['paht'], 'paht'],
  ['filePath', ['file_path'], 'file_path'],
  ['file_path', ['x', 'FilePath'], 'FilePath'],
  ['recursive', ['recursve', 'recursiv'], 'recursve'],
  ['path', ['query'], undefined],
  ['id', ['to'], undefined],
  ['path', [], undefined],
  ['a'.repeat(200), ['a'.repeat(199)], undefined],
])('for %s, of %j it is %s', (wanted, candidates, expected) => {
  expect(nearestName(wanted, candidates)).toBe(expected);
});
