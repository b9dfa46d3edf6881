import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { examinePattern } from '../../../scripts/regex/examine.ts';
import { OLD_PATTERNS } from './old-patterns.ts';

const examine = ({ source, flags }: RegExp) => examinePattern(source, flags);

describe('the check of regular expressions refuses', () => {
  test.each(OLD_PATTERNS)('the old pattern of %s', (_place, source, flags) => {
    expect(examinePattern(source, flags)).toMatch(/^(?:exponential|super-linear)/);
  });

  test.each(['*a*a*b', '*_*_*_*', 'read_*_of_*_in_*'])('what picomatch makes of the glob %s', (glob) => {
    expect(examine(picomatch.makeRe(glob, { dot: true, bash: true }))).toMatch(/^(?:exponential|super-linear)/);
  });

  test.each([
    [/(\d+)+$/],
    [/^(a|a)*$/],
    [/^.*a.*b$/],
    [/ab[^c]*c/],
    [/"(?:[^"\\]|\\.)*"/g],
    [/(?<=x+)y/g],
    [/x[^y]{0,5000}y/],
    [/\p{L}+$/u],
    [/(a*)\1$/],
  ])('%s', (pattern) => {
    expect(examine(pattern)).toMatch(/^(?:exponential|super-linear|costly)/);
  });
});

describe('the check of regular expressions accepts', () => {
  test.each([
    [/^[a-z]+$/],
    [/^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/],
    [/\{[^{}]*\}/g],
    [/(?<![\w.$])[A-Za-z_$][\w.$]*/g],
    [/a{1,80}b/],
    [/^(?:a|b)*c/],
    [/[^\n]*\n/y],
    [/(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+/g],
    [/^(["'])(.*)\1$/],
  ])('%s', (pattern) => {
    expect(examine(pattern)).toBeUndefined();
  });
});

test('the flag v is known', () => {
  expect(examinePattern(String.raw`[\p{L}--[a-z]]+$`, 'v')).toContain('super-linear');
  expect(examinePattern(String.raw`[\p{L}--[a-z]]`, 'gv')).toBeUndefined();
});
