import { openKnowledge } from '../../knowledge/index/open-knowledge.ts';
import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import type { CreateWorkflow } from '../define.ts';
import type { CodebaseOptions } from './options.ts';
import { Places } from './places.ts';
import { getIndexingStatus, indexRepository, startIndexing } from './tools/indexing.ts';
import { codeOutline } from './tools/outline.ts';
import { searchCode } from './tools/search.ts';
import type { Toolbox } from './tools/toolbox.ts';
import { setWorkingDirectory } from './tools/working-directory.ts';

const MEBIBYTE = 1024 * 1024;
const TOOLS = [searchCode, indexRepository, startIndexing, getIndexingStatus, setWorkingDirectory, codeOutline];

export const createCodebase: CreateWorkflow<CodebaseOptions> = (context) => {
  const { options, home, databaseUrl: url, workspace, guard, openDatabase } = context;
  const knowledge = openKnowledge({
    home,
    url,
    embeddings: options.embeddings,
    maxFileBytes: Math.floor(options.fileMegabytes * MEBIBYTE),
    ignore: options.ignore,
  });
  // Knows which folder is which project, for all workflows.
  const identities = openCheckpointStore({ database: openDatabase() });
  const places = new Places({ workspace, guard });
  const toolbox: Toolbox = { knowledge, places, identities, databaseName: nameOf(url) };
  const tools = TOOLS.map((tool) => tool(toolbox));
  let stopped: Promise<unknown> | undefined;
  return {
    tools: () => tools,
    work: () => knowledge.work(),
    start: () => undefined,
    stop: async () => {
      stopped ??= Promise.all([knowledge.close(), identities.close()]);
      await stopped;
    },
    onSessionEnded: (clientId) => places.forget(clientId),
  };
};

/** Returns the name of the database without its host and password. */
function nameOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return 'knowledge.db';
  return decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres';
}
