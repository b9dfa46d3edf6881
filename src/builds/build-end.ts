import type { BuildStatus } from '../core/stores/build-store.ts';
import type { ProcessEnd } from '../process/managed/managed-process.ts';
import { wordsFor } from '../process/managed/process-words.ts';

interface EndFacts {
  readonly status: Exclude<BuildStatus, 'running' | 'lost'>;
  readonly exitCode?: number | undefined;
  /** For the log, where the exit code does not say all. */
  readonly note?: string | undefined;
}

/** Says how a build ended whose process ended in a way. */
export function endOfBuild({ wasToldToEnd }: { readonly wasToldToEnd: boolean }, end: ProcessEnd): EndFacts {
  const exitCode = end.name === 'exited' ? end.exitCode : undefined;
  if (wasToldToEnd) return { status: 'cancelled', exitCode, note: `the build was cancelled, and ${wordsFor(end)}` };
  if (end.name === 'exited') return { status: end.exitCode === 0 ? 'success' : 'failed', exitCode };
  return { status: 'failed', note: `the build ${wordsFor(end)}` };
}
