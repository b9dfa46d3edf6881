import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FULL_PERMISSIONS,
  intersect,
  type Permissions,
  type Seen,
  scopeOf,
} from '../../../../src/core/access/permissions.ts';

const NAMES = ['fs', 'web', 'notes'];
const TOOLS = ['fs_read', 'fs_write', 'web_get', 'viaduct_status', 'notes_a', 'read'];
/** Ids of projects, and what has none. */
const PROJECTS = [...TOOLS, undefined];
const GLOBS = ['*', 'fs_*', '*_read', '!(fs_*)', 'web_get', '{fs,web}_*', '?ead', 'none'];

const names = fc.oneof(fc.constant('all' as const), fc.subarray(NAMES));
const tools = fc.record({
  allow: fc.subarray(GLOBS),
  deny: fc.oneof(fc.constant([]), fc.subarray(GLOBS)),
});
const projects = fc.array(fc.subarray(GLOBS), { minLength: 1, maxLength: 2 });
const access: fc.Arbitrary<Permissions> = fc.record(
  { upstreams: names, workflows: names, tools, projects },
  { requiredKeys: ['upstreams', 'workflows', 'tools'] },
);

const PROVIDERS: readonly Seen[] = [
  ...NAMES.map((id) => ({ kind: 'upstream', id }) as const),
  ...NAMES.map((id) => ({ kind: 'workflow', id }) as const),
  ...NAMES.map((workflow) => ({ kind: 'upstream', id: 'fs', workflow }) as const),
];

/** All that an access allows, of what there is in these tests. */
function allowed(given: Permissions): unknown {
  const scope = scopeOf(given);
  return {
    providers: PROVIDERS.filter((provider) => scope.allowsProvider(provider)),
    tools: TOOLS.filter((name) => scope.allowsTool(name)),
    projects: PROJECTS.filter((id) => scope.allowsProject(id)),
  };
}

test('only an access that limits nothing is whole', () => {
  const wholeness = (access: Partial<Permissions>) => scopeOf({ ...FULL_PERMISSIONS, ...access }).isWhole;
  expect(wholeness({})).toBe(true);
  expect(wholeness({ tools: { allow: ['a', '*'], deny: [] } })).toBe(true);
  for (const limit of [
    { upstreams: ['fs'] },
    { workflows: [] },
    { tools: { allow: ['a_*'], deny: [] } },
    { tools: { allow: ['*'], deny: ['a'] } },
    { tools: { allow: ['*'], deny: [], alsoAllow: [['a']] } },
    { projects: [['*']] },
  ])
    expect(wholeness(limit)).toBe(false);
  fc.assert(
    fc.property(access, (given) => !scopeOf(given).isWhole || scopeOf(intersect(given, FULL_PERMISSIONS)).isWhole),
  );
});

describe('what both of two accesses allow', () => {
  test('is exactly what each of them allows', () => {
    fc.assert(
      fc.property(access, access, access, (a, b, c) => {
        const both = scopeOf(intersect(intersect(a, b), c));
        const each = [a, b, c].map((one) => scopeOf(one));
        for (const provider of PROVIDERS)
          expect(both.allowsProvider(provider)).toBe(each.every((scope) => scope.allowsProvider(provider)));
        for (const id of PROJECTS) expect(both.allowsProject(id)).toBe(each.every((scope) => scope.allowsProject(id)));
        for (const name of TOOLS) expect(both.allowsTool(name)).toBe(each.every((scope) => scope.allowsTool(name)));
      }),
    );
  });

  test('is never more than one of them alone, in whatever order they are joined', () => {
    fc.assert(
      fc.property(access, access, (a, b) => {
        expect(allowed(intersect(a, b))).toEqual(allowed(intersect(b, a)));
        expect(allowed(intersect(a, a))).toEqual(allowed(a));
        expect(allowed(intersect(a, FULL_PERMISSIONS))).toEqual(allowed(a));
        expect(allowed(intersect(FULL_PERMISSIONS, a))).toEqual(allowed(a));
      }),
    );
  });
});

test('full access allows everything', () => {
  expect(allowed(FULL_PERMISSIONS)).toEqual({ providers: PROVIDERS, tools: TOOLS, projects: PROJECTS });
});

test('an upstream that a workflow brings along comes with the workflow, whatever it is called', () => {
  const scope = scopeOf({ ...FULL_PERMISSIONS, upstreams: ['fs'], workflows: ['notes'] });
  expect(scope.allowsProvider({ kind: 'upstream', id: 'other', workflow: 'notes' })).toBe(true);
  expect(scope.allowsProvider({ kind: 'upstream', id: 'fs', workflow: 'other' })).toBe(false);
});

test('an upstream and a workflow of one name are two things', () => {
  const scope = scopeOf({ ...FULL_PERMISSIONS, upstreams: ['fs'], workflows: [] });
  expect(scope.allowsProvider({ kind: 'upstream', id: 'fs' })).toBe(true);
  expect(scope.allowsProvider({ kind: 'workflow', id: 'fs' })).toBe(false);
});

test('a denied tool is denied though it is allowed, and an empty list allows nothing', () => {
  const scope = scopeOf({ ...FULL_PERMISSIONS, tools: { allow: ['fs_*'], deny: ['*_write'] } });
  expect(TOOLS.filter((name) => scope.allowsTool(name))).toEqual(['fs_read']);
  expect(scopeOf({ ...FULL_PERMISSIONS, tools: { allow: [], deny: [] } }).allowsTool('fs_read')).toBe(false);
});

test('data that names no project, or one with an endless name, is for those who see all projects', () => {
  const limited = scopeOf({ ...FULL_PERMISSIONS, projects: [['a*', '!(b)']] });
  expect(limited.allowsProject('a')).toBe(true);
  for (const id of [undefined, 'b', `a${'x'.repeat(256)}`]) {
    expect([id, limited.allowsProject(id)]).toEqual([id, false]);
    expect(scopeOf(FULL_PERMISSIONS).allowsProject(id)).toBe(true);
  }
  expect(scopeOf({ ...FULL_PERMISSIONS, projects: [[]] }).allowsProject('a')).toBe(false);
});
