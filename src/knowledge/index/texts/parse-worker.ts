import type { Method } from '../threads/messages.ts';
import { beNice } from '../threads/be-nice.ts';
import { type FileToPrepare, type PreparedFile, prepareFile } from './prepare-file.ts';

export interface PrepareRequest {
  readonly root: string;
  readonly files: readonly FileToPrepare[];
  readonly maxBytes: number;
}

/** Reads and chunks files for the worker that indexes. */
export function parseWorker(): Readonly<Record<string, Method>> {
  beNice();
  return {
    prepare: async (_context, { root, files, maxBytes }: PrepareRequest) => {
      const prepared: PreparedFile[] = [];
      for (const file of files) prepared.push(await prepareFile(root, file, maxBytes));
      return prepared;
    },
  } as Readonly<Record<string, Method>>;
}
