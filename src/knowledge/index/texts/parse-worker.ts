import { beNice } from '../../../core/threads/be-nice.ts';
import type { Method } from '../threads/messages.ts';
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
    prepare: async (_context: unknown, { root, files, maxBytes }: PrepareRequest) => {
      const prepared: PreparedFile[] = [];
      for (const file of files) prepared.push(await prepareFile(root, file, maxBytes));
      return prepared;
    },
    end: async () => undefined,
  } as unknown as Readonly<Record<string, Method>>;
}
