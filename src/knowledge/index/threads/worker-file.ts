interface WorkerFile {
  readonly url: URL;
  /** Options of Node.js; those of the process where there are none. */
  readonly execArgv: string[];
}

/** Returns where the code of worker threads is: beside this one as source, else where `scripts/build.mjs` puts it. */
export function workerFile(): WorkerFile {
  const here = new URL(import.meta.url);
  if (here.pathname.endsWith('.ts')) return { url: new URL('./worker.ts', here), execArgv: ['--import', 'tsx'] };
  const [dist] = here.pathname.split(/(?<=\/dist\/)/);
  return { url: new URL(`${dist}knowledge/worker.js`, here), execArgv: [] };
}
