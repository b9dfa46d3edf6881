import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ResourceEntry, ToolDefinition } from '../../../src/workflows/define.ts';
import { WorkflowListing } from '../../../src/workflows/workflow-listing.ts';

const tool = (name: string) =>
  ({
    name,
    title: name,
    description: name,
    input: z.object({}),
    output: z.object({}),
    run: async () => ({}),
  }) as unknown as ToolDefinition;

test('the listing is one object until tools or resources change', () => {
  let tools = [tool('a'), tool('b')];
  let resources: readonly ResourceEntry[] = [];
  const template = { uriTemplate: 'x:{id}', name: 'x', title: 'x', description: 'x', mimeType: 'text/plain' };
  const listing = new WorkflowListing({
    tools: () => tools,
    resources: { template, list: () => resources } as never,
  });
  const first = listing.now();
  tools = [...tools];
  expect(listing.now()).toBe(first);
  tools = tools.slice(0, 1);
  const second = listing.now();
  expect(second.tool.map(({ ownName }) => ownName)).toEqual(['a']);
  expect(second.tool[0]).toBe(first.tool[0]);
  resources = [];
  expect(listing.now()).not.toBe(second);
  expect(listing.now()).toBe(listing.now());
});
