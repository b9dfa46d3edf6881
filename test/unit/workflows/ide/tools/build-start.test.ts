import path from 'node:path';
import { expect, test } from 'vitest';
import { buildStartTool } from '../../../../../src/workflows/ide/tools/build-start.ts';
import { realFolder } from '../../../../support/git-repository.ts';
import { callIn, ideBuildsSetup } from '../../../../support/ide-builds.ts';

test('the tool names the builds and answers with the one that it has started', async () => {
  const folder = realFolder();
  const { builds } = ideBuildsSetup({ all: { command: ['true'] }, docs: { command: ['true'] } });
  const tool = buildStartTool(builds);
  expect(tool.description).toContain('all, docs');
  const result = (await tool.run({ name: 'all' }, callIn(folder))) as { build: { id: string } };
  expect(tool.output.parse(result)).toEqual({
    build: {
      id: expect.any(String),
      repo: path.basename(folder),
      branch: '',
      status: expect.stringMatching(/^running|success$/),
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  });
});
