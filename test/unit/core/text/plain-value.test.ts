import { expect, test } from 'vitest';
import { isPlainValue } from '../../../../src/core/text/plain-value.ts';

test.each([
  'github',
  'production',
  'acme-billing',
  'Europe/Berlin',
  'en_US.UTF-8',
  'C.UTF-8',
  'eu-central-1',
  '3000',
  '1.24.0',
  '30s',
  'https://api.example.com',
  'api.example.com:8080',
  'ghcr.io/acme/app:1.2',
])('%s is a plain setting', (value) => {
  expect(isPlainValue(value)).toBe(true);
});

test.each([
  'hunter2',
  'swordfish-4711',
  'correct horse',
  'S3cr3t!',
  'aBcDeFgHiJ',
  'a8f3k29dk3j2mm',
  'https://me:pw@example.com',
  'https://hooks.example.com/T00/B11',
  'https://example.com/?key=abcdef',
  '9fceb02d0ae598e95dc970b74767f19372d61af8',
  'x'.repeat(40),
])('%s may be a secret', (value) => {
  expect(isPlainValue(value)).toBe(false);
});
