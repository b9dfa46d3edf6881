/** Role of a worker thread: it searches, it indexes, or it reads and chunks files for the one that indexes. */
export type WorkerRole = 'search' | 'index' | 'parse';
