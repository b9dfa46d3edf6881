import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProjectTask } from '../../../src/core/projects/project-task.ts';
import { BIN, temporaryFolder } from '../../support/gateway.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { HASH, ISO, taskGateways } from './setup.ts';

const ID = '123e4567-e89b-12d3-a456-426614174000';
const CACHING = {
  title: 'Implement caching layer',
  description: 'Add Redis caching for frequently accessed data',
  notes: 'Consider using cache-aside pattern',
  planning_references: ['specs/caching.md', 'docs/architecture.md'],
};

const task = (id: string, title: string, at: string, more: Partial<ProjectTask>): ProjectTask => ({
  id,
  projectId: 'seed',
  title,
  description: null,
  notes: null,
  status: 'in-progress',
  createdAt: Date.parse(at),
  updatedAt: Date.parse(at),
  branch: null,
  commit: null,
  branches: [],
  commits: [],
  planningReferences: [],
  statusHistory: [],
  ...more,
});

const TASKS = [
  task(ID, 'Implement rate limiting', '2024-01-15T10:30:00Z', {
    description: 'Add rate limiting to all API endpoints',
    notes: 'Use Redis for distributed rate limiting',
    updatedAt: Date.parse('2024-01-15T14:45:00Z'),
    branch: 'feature/rate-limiting',
    branches: ['feature/rate-limiting'],
    planningReferences: ['specs/rate-limiting.md'],
  }),
  task('123e4567-e89b-12d3-a456-426614174001', 'Fix authentication bug', '2024-01-15T10:00:00Z', {}),
];

describe.each(KINDS)('the examples of the seed document, with a client of the SDK, on %s', (kind) => {
  const { newPlace, configOf, envOf, add } = taskGateways(kind);

  test('get, list, create and update', async ({ skip }) => {
    const place = await newPlace(skip);
    await add(place, TASKS);
    const client = new Client({ name: 'seed-client', version: '1.0.0' });
    const args = [BIN, 'stdio', '--config', configOf(place)];
    const env = envOf(place) as Record<string, string>;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, cwd: temporaryFolder(), stderr: 'ignore' }),
    );
    onTestFinished(() => client.close());
    // The SDK checks results against the output schemas of tools that it has listed.
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['create_task', 'get_task', 'list_tasks', 'update_task']);
    expect(tools.every(({ inputSchema }) => inputSchema.additionalProperties === false)).toBe(true);
    const call = async (name: string, given: Record<string, unknown>): Promise<any> =>
      (await client.callTool({ name, arguments: given })).structuredContent;

    expect(await call('get_task', { task_id: ID })).toMatchObject({
      id: ID,
      title: 'Implement rate limiting',
      description: 'Add rate limiting to all API endpoints',
      notes: 'Use Redis for distributed rate limiting',
      status: 'in-progress',
      created_at: '2024-01-15T10:30:00.000Z',
      updated_at: '2024-01-15T14:45:00.000Z',
      branch: 'feature/rate-limiting',
      commit: null,
      planning_references: ['specs/rate-limiting.md'],
    });
    expect(await call('list_tasks', { status: 'in-progress', limit: 10 })).toEqual({ tasks: [], total_count: 0 });
    expect(await call('list_tasks', { status: 'in-progress', limit: 10, project_id: 'seed' })).toMatchObject({
      tasks: [{ title: 'Implement rate limiting' }, { title: 'Fix authentication bug', branch: null }],
      total_count: 2,
    });
    expect(await call('create_task', CACHING)).toMatchObject({
      ...CACHING,
      id: expect.any(String),
      status: 'need to be done',
      created_at: expect.stringMatching(ISO),
      branch: null,
      commit: null,
    });
    const change = { status: 'complete', branch: 'feature/caching', commit: HASH };
    expect(await call('update_task', { task_id: ID, ...change })).toMatchObject({
      id: ID,
      ...change,
      branches: ['feature/rate-limiting', 'feature/caching'],
      commits: [HASH],
    });
    expect(await call('list_tasks', {})).toMatchObject({ tasks: [{ title: CACHING.title }], total_count: 1 });
  });
});
