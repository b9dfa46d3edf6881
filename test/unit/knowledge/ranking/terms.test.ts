import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuery } from '../../../../src/knowledge/ranking/query.ts';
import { stem } from '../../../../src/knowledge/ranking/stem.ts';
import { compound, termsOf } from '../../../../src/knowledge/ranking/terms.ts';

describe('the terms of a text', () => {
  it.each([
    ['readHTTPBody2', ['read', 'http', 'body', '2', 'readhttpbody2']],
    ['MAX_FILE_SIZE', ['max', 'file', 'size', 'maxfilesize']],
    ['the parsers', ['the', 'parser']],
    ['snake_case kebab-case', ['snak', 'case', 'snakecase', 'kebab', 'case']],
    ['größeÄndern', ['größ', 'ändern', 'größeändern']],
    ['$element', ['element']],
    ['a.b()', ['a', 'b']],
    ['', []],
    ['... {}', []],
    ['x'.repeat(100), []],
  ])('%s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('have no white space, no capitals, and are the same for a query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const terms = termsOf(text);
        expect(terms.every((term) => term !== '' && !/\s/.test(term))).toBe(true);
        expect(readQuery(text).terms.every((term) => terms.includes(term))).toBe(true);
      }),
    );
  });
});

describe('stems', () => {
  it.each([
    ['routes', 'routing', 'routed', 'route'],
    ['queries', 'query'],
    ['mapping', 'mapped', 'maps', 'map'],
    ['calls', 'calling', 'called', 'call'],
    ['classes', 'class'],
  ])('are the same: %s %s', (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1);
  });

  it.each([
    ['status', 'statu'],
    ['this', 'thi'],
    ['string', 'str'],
    ['red', 'r'],
  ])('of %s is not %s', (word, wrong) => {
    expect(stem(word)).not.toBe(wrong);
  });
});

describe('spellings', () => {
  it('of an identifier are one', () => {
    expect(new Set(['readBody', 'read_body', 'READ_BODY', 'ReadBody'].map(compound)).size).toBe(1);
  });
});

describe('a query', () => {
  it('that is one word is a symbol', () => {
    expect(readQuery(' ReadBody ')).toMatchObject({ isSymbol: true, symbols: ['readbody'] });
  });

  it('leaves out what questions are made of, and keeps the identifiers that it names', () => {
    const query = readQuery('how does the readBody of a Request work');
    expect(query).toMatchObject({ isSymbol: false, symbols: ['readbody'] });
    expect(query.terms).toEqual(['read', 'body', 'readbody', 'request', 'work']);
  });

  it('that has nothing else keeps these', () => {
    expect(readQuery('what is this').terms).toEqual(['what', 'is', 'this']);
  });
});
