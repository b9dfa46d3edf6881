import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPorts, shownPorts } from '../../../../src/core/addresses/port-list.ts';

describe('readPorts', () => {
  test.each<[string | number | number[], number[]]>([
    [9960, [9960]],
    ['9960', [9960]],
    ['9960-9962', [9960, 9961, 9962]],
    ['1, 3-4,4', [1, 3, 4]],
    [
      [7, 8],
      [7, 8],
    ],
  ])('reads %j', (list, ports) => {
    expect(readPorts(list)).toEqual(ports);
  });

  test.each(['', '0', '65536', '9-1', '1-', 'a', '1-2-3', '1.5', '-1', '1-201', '1-150, 200-300'])(
    'does not take %j',
    (list) => {
      expect(readPorts(list)).toBeUndefined();
    },
  );

  test('what is shown reads as the same ports', () => {
    const ports = fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(ports, (list) => {
        expect(readPorts(shownPorts(list))).toEqual([...list].sort((a, b) => a - b));
      }),
    );
  });
});
