import { expect, test } from 'vitest';
import { legacyParts } from './setup.ts';

test('a client is introduced by what it says in initialize', () => {
  const { introduction } = legacyParts({ principal: { id: 'p', name: 'Paul' }, depth: 2 });
  expect([introduction.isIntroduced, introduction.facts.principal, introduction.facts.depth]).toEqual([false, 'p', 2]);
  const before = introduction.facts;
  introduction.introduce('2025-03-26', { capabilities: { roots: {} }, clientInfo: { name: 'agent' } });
  expect(introduction).toMatchObject({ isIntroduced: true, revision: '2025-03-26', allowsBatches: true });
  expect([introduction.clientInfo, introduction.capabilities]).toEqual([{ name: 'agent' }, { roots: {} }]);
  expect(introduction.facts).toMatchObject({ clientInfo: '{"name":"agent"}', capabilities: '{"roots":{}}' });
  // Calls that run keep the facts with which they began.
  expect(before.clientInfo).toBeUndefined();
});

test('a folder that the client names counts as its own word; the one that is known already does not change', () => {
  const { introduction } = legacyParts({ folder: '/start' });
  expect(introduction.facts.folder).toEqual({ path: '/start', source: 'start' });
  introduction.setFolder('/start');
  expect(introduction.facts.folder).toEqual({ path: '/start', source: 'start' });
  introduction.setFolder('/other');
  expect(introduction.facts.folder).toEqual({ path: '/other', source: 'request' });
});

test('a session for one request says so to providers', () => {
  expect(legacyParts({ isBrief: true }).introduction.facts.isSessionless).toBe(true);
  expect(legacyParts().introduction.facts).not.toHaveProperty('isSessionless');
});
