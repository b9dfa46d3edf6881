import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { GatewayError } from '../../../../../src/core/errors.ts';
import { parsePatch, patchArgument, validateBundle } from '../../../../../src/workflows/checkpoint/bundle/validate.ts';

function errorOf(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function nested(depth: number): unknown {
  return depth === 0 ? 'x' : { a: nested(depth - 1) };
}

describe('a patch is refused, and the field named,', () => {
  test.each([
    ['when it is no object', [], 'bundle_patch: must be an object'],
    ['for an item without an id', { todos: [{ text: 'a' }] }, /^bundle_patch\.todos\[0\]\.id: every item needs an id/],
    ['for an item that is no object', { todos: ['a'] }, /^bundle_patch\.todos\[0\]: /],
    [
      'for an unknown status',
      { todos: [{ id: 't', text: 'a', status: 'completed' }] },
      /^bundle_patch\.todos\[0\]\.status: .*"open"/,
    ],
    ['for a list that is none', { decisions: { id: 'd1', text: 'a' } }, /^bundle_patch\.decisions: /],
    ['for an item called *', { todos: [{ id: '*', text: 'a' }] }, /^bundle_patch\.todos\[0\]\.id: .*means all items/],
    [
      'for a deletion that is not true',
      { todos: [{ id: 't', text: 'a', _delete: 1 }] },
      'bundle_patch.todos[0]._delete: can only be true',
    ],
    [
      'for an object deleted with something else',
      { workspace: { _delete: 'yes' } },
      'bundle_patch.workspace._delete: can only be true',
    ],
    ['for a wrong member', { workspace: { open_files: 'a.ts' } }, /^bundle_patch\.workspace\.open_files: /],
    [
      'for a wrong turn',
      { conversation: { last_n_turns: [{ role: 'robot', content: '' }] } },
      /^bundle_patch\.conversation\.last_n_turns\[0\]\.role: /,
    ],
    ['when it is too deep', { metadata: nested(100) }, /^bundle_patch\.metadata(\.a)+: nested more than 64/],
    [
      'when it is too large',
      { metadata: { a: 'x'.repeat(2_200_000) } },
      'bundle_patch: 2.1 MiB of JSON, and 2.0 MiB are allowed; the largest field is metadata (2.1 MiB)',
    ],
  ])('%s', (_name, patch, message) => {
    const error = errorOf(() => parsePatch(patch));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.message).toMatch(
      typeof message === 'string' ? new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : message,
    );
  });
});

describe('a patch keeps', () => {
  test.each([
    { todos: [{ id: 't', text: 'a', status: 'pending', priority: 3, extra: null }] },
    { decisions: [{ id: 'd', text: 'a' }] },
    { plan: { summary: 's', current_step: null, steps: [{ id: 's1', text: 'x', status: 'done' }], mine: 1 } },
    { unknown_field: { a: [1, { b: null }] }, 'another one': 3 },
    {
      conversation: {
        last_n_turns: [
          { role: 'user', content: 'plain' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'x', input: {} }] },
        ],
      },
    },
  ])('%o', (patch) => {
    expect(parsePatch(patch)).toEqual(patch);
  });
});

test('a summary that was made up on delivery does not come back', () => {
  const conversation = { fidelity: 'L1', summary: 'Goal: x.', summary_generated: true };
  expect(parsePatch({ conversation })).toEqual({ conversation: { fidelity: 'L1' } });
});

describe('a bundle', () => {
  test('of a newer gateway is refused', () => {
    expect(() => validateBundle({ pcb_version: '2.0' })).toThrow('bundle.pcb_version: "2.0" is newer');
    expect(validateBundle({ pcb_version: '0.1' })).toEqual({ pcb_version: '0.1' });
  });

  test('with one id twice is refused', () => {
    const todo = { id: 't1', text: 'a' };
    expect(() => validateBundle({ todos: [todo, todo] })).toThrow('bundle.todos: two items have the id "t1"');
  });
});

test('the argument tells a model what fields there are', () => {
  const schema = z.toJSONSchema(patchArgument(), { io: 'input' }) as { properties: Record<string, { type?: string }> };
  expect(Object.keys(schema.properties)).toEqual(
    expect.arrayContaining(['todos', 'decisions', 'plan', 'plan_steps', 'git']),
  );
  expect(patchArgument().parse({ todos: 'anything' })).toEqual({ todos: 'anything' });
});
