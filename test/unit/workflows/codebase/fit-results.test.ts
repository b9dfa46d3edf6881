import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CodeResult, fitResults, tokensOf } from '../../../../src/workflows/codebase/fit-results.ts';

function result(lines: number, context: number, name = 'a.ts'): CodeResult {
  const text = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');
  return {
    chunk_id: 'c',
    repository_id: 'r',
    file_path: name,
    content: text(lines),
    start_line: 5,
    end_line: 4 + lines,
    similarity_score: 0.5,
    ...(context > 0 && { context_before: text(context), context_after: text(context) }),
  };
}

describe('results', () => {
  test('stay as they are where there is room', () => {
    const results = [result(5, 3), result(2, 0)];
    expect(fitResults(results, 10_000)).toBe(results);
  });

  test('lose the lines around them first, then the last of them', () => {
    const results = [result(5, 10, 'a'), result(5, 10, 'b'), result(5, 10, 'c')];
    const bare = fitResults(results, 300);
    expect(bare.map(({ file_path: file }) => file)).toEqual(['a', 'b', 'c']);
    expect(bare.every(({ context_before: before }) => before === undefined)).toBe(true);
    expect(fitResults(results, 130).map(({ file_path: file }) => file)).toEqual(['a', 'b']);
  });

  test('the best one is cut where even that is too much', () => {
    const [only, ...others] = fitResults([result(500, 0), result(1, 0)], 200);
    expect(others).toEqual([]);
    expect(only!.content.split('\n')).toHaveLength(only!.end_line - only!.start_line + 1);
    expect(tokensOf(only)).toBeLessThanOrEqual(200);
    expect(only!.end_line).toBeGreaterThan(20);
  });

  test('have at most so many tokens, and are the best in their order', () => {
    const results = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 10 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(results, fc.integer({ min: 100, max: 3_000 }), (sizes, most) => {
        const all = sizes.map(([lines, context], at) => result(lines, context, `${at}`));
        const fitting = fitResults(all, most);
        expect(fitting.reduce((sum, one) => sum + tokensOf(one), 0)).toBeLessThanOrEqual(most + 2 * all.length);
        expect(fitting.map(({ file_path: file }) => file)).toEqual(
          all.slice(0, fitting.length).map((one) => one.file_path),
        );
        expect(fitting.length > 0).toBe(all.length > 0);
      }),
    );
  });
});
