import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../src/knowledge/ranking/candidate.ts';
import { readQuery } from '../../../../src/knowledge/ranking/query.ts';
import { rank } from '../../../../src/knowledge/ranking/rank.ts';

const candidate = (path: string, more: Partial<Candidate> = {}): Candidate => ({
  path,
  text: 'text',
  kind: 'function',
  symbol: '',
  defines: [],
  base: 1,
  ...more,
});

const order = (query: string, ...candidates: Candidate[]): string[] =>
  rank(readQuery(query), candidates).map((one) => one.candidate.path);

describe('a chunk is better', () => {
  it('the better its text fits, all else being equal', () => {
    expect(order('sort', candidate('a.ts'), candidate('b.ts', { base: 2 }))).toEqual(['b.ts', 'a.ts']);
  });

  it.each([
    ['its file is called after the query', 'token bucket', 'src/token-bucket.ts', 'src/limits.ts'],
    ['its file is called by a form of the word', 'routing requests', 'src/router.go', 'src/other.go'],
    ['its folder is, and the file stands for it', 'routing requests', 'src/routing/mod.rs', 'src/other/mod.rs'],
    ['its folder is', 'json streams', 'json/reader.ts', 'text/reader.ts'],
    ['it is no test', 'token bucket', 'src/one.ts', 'test/one.ts'],
    ['it is no test beside the source', 'token bucket', 'src/one.go', 'src/one_test.go'],
    ['it is no example', 'token bucket', 'src/one.ts', 'examples/one.ts'],
    ['it is no page', 'token bucket', 'one.ts', 'one.md'],
    ['it is no declaration', 'token bucket', 'one.ts', 'one.d.ts'],
  ])('when %s', (_, query, better, worse) => {
    expect(order(query, candidate(worse, { base: 1.05 }), candidate(better))).toEqual([better, worse]);
  });

  it('when it defines the symbol that the query is', () => {
    const defining = candidate('a.ts', { defines: ['read_body'], base: 0.5 });
    expect(order('readBody', candidate('b.ts'), defining)).toEqual(['a.ts', 'b.ts']);
  });

  it('when it defines what the query describes', () => {
    const defining = candidate('a.ts', { defines: ['parseRequestBody'], base: 0.7 });
    expect(order('how is the body of a request parsed', candidate('b.ts'), defining)).toEqual(['a.ts', 'b.ts']);
  });

  it('when more of its file fits', () => {
    const others = Array.from({ length: 5 }, () => candidate('a.ts', { base: 0.5 }));
    expect(order('sort', candidate('b.ts'), candidate('a.ts'), ...others)[0]).toBe('a.ts');
  });

  it('when its file has more of the words', () => {
    const a = candidate('a.ts', { text: 'sorts numbers' });
    const b = candidate('b.ts', { text: 'sorts' });
    expect(order('sort numbers', b, a)).toEqual(['a.ts', 'b.ts']);
  });

  it('when it is no test, but not when the query asks for tests', () => {
    const both = [candidate('test/one.ts', { base: 1.2 }), candidate('src/one.ts')];
    expect(order('token bucket', ...both)[0]).toBe('src/one.ts');
    expect(order('tests of the token bucket', ...both)[0]).toBe('test/one.ts');
  });
});

describe('names that many files have', () => {
  it('say little', () => {
    const others = Array.from({ length: 20 }, (_, at) => candidate(`json-${at}.ts`, { base: 0.1 }));
    const [first] = order('json dates', candidate('json-x.ts'), candidate('dates.ts'), ...others);
    expect(first).toBe('dates.ts');
  });
});

describe('the chunks of one file', () => {
  it('leave room for those of others', () => {
    const ofOne = Array.from({ length: 10 }, (_, at) => candidate('a.ts', { base: 2 - at / 10 }));
    expect(order('sort', ...ofOne, candidate('b.ts', { base: 1.2 })).slice(0, 2)).toEqual(['a.ts', 'b.ts']);
  });
});

const candidates = fc.array(
  fc.record({
    path: fc.constantFrom('a.ts', 'src/read-body.ts', 'index.ts', 'test/a.ts', '.env.example', 'x/y/z'),
    text: fc.string(),
    kind: fc.constantFrom('function', 'method', 'class', 'section', 'block'),
    symbol: fc.constant(''),
    defines: fc.array(fc.constantFrom('readBody', 'body', '', '_')),
    base: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true })),
  }) as fc.Arbitrary<Candidate>,
  { maxLength: 40 },
);

describe('scores', () => {
  it('are from 0 to 1, and fall', () => {
    fc.assert(
      fc.property(candidates, fc.constantFrom('readBody', 'how is the body read', 'zzz', '', '???'), (found, query) => {
        const scores = rank(readQuery(query), found, { limit: 100 }).map(({ score }) => score);
        expect(scores).toHaveLength(found.length);
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  it('are higher where more of the query is found', () => {
    const score = (query: string) =>
      rank(readQuery(query), [candidate('a.ts', { text: 'sort numbers' })]).map((one) => one.score)[0]!;
    expect(score('sort numbers')).toBeGreaterThan(score('sort unknown things nobody has'));
  });

  it('are no more than were asked for', () => {
    const many = Array.from({ length: 30 }, (_, at) => candidate(`${at}.ts`));
    expect(rank(readQuery('sort'), many)).toHaveLength(10);
    expect(rank(readQuery('sort'), many, { limit: 3 })).toHaveLength(3);
    expect(rank(readQuery('sort'), [])).toEqual([]);
  });
});
