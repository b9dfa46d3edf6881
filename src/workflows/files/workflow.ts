import { openChangeStore } from '../../store/workspace/open-change-store.ts';
import { Changes } from '../../workspace/changes.ts';
import type { CreateWorkflow } from '../define.ts';
import { createDirectory, listDirectory } from './tools/directories.ts';
import { deleteFile, fileExists, renameFile } from './tools/paths.ts';
import { readFileTool } from './tools/read.ts';
import type { Toolbox } from './tools/toolbox.ts';
import { undoTool } from './tools/undo.ts';
import { editFileTool, writeFileTool } from './tools/write.ts';

const TOOLS = [
  readFileTool,
  writeFileTool,
  editFileTool,
  deleteFile,
  renameFile,
  fileExists,
  listDirectory,
  createDirectory,
  undoTool,
];

export const createFiles: CreateWorkflow = ({ workspace, home, guard, openDatabase, log }) => {
  const store = openChangeStore({ database: openDatabase(), limits: workspace.undo, home });
  const onError = (error: unknown) => log.warn({ error }, 'a change that can be undone was not noted as it should be');
  const toolbox: Toolbox = { workspace, guard, changes: new Changes({ store, limits: workspace.undo, onError }) };
  const tools = TOOLS.map((tool) => tool(toolbox));
  let stopped: Promise<void> | undefined;
  return {
    tools: () => tools,
    start: () => undefined,
    stop: () => (stopped ??= store.close()),
  };
};
