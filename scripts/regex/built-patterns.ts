import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuiltPattern, type FoundPattern, patternsOf, sourceFiles } from './find-patterns.ts';

export interface AllPatterns {
  readonly patterns: readonly FoundPattern[];
  /** Calls of `RegExp` that built no pattern while their file was loaded and its sample ran. */
  readonly unseen: readonly BuiltPattern[];
}

/**
 * Returns the regular expressions in the files of a folder, and those that the files build when they are loaded.
 * @param samples by file: a call that makes it build the patterns that it builds later
 */
export async function allPatterns(
  folder: string,
  samples: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<AllPatterns> {
  const files = sourceFiles(folder).map((file) => patternsOf(file, readFileSync(file, 'utf8')));
  const calls = files.flatMap(({ built }) => built);
  const seen = await whileRecording(async () => {
    for (const file of new Set(calls.map((call) => call.file))) {
      await import(pathToFileURL(file).href);
      await samples[file]?.();
    }
  });
  const places = new Set(seen.map(({ place }) => place));
  return {
    patterns: [...files.flatMap(({ literals }) => literals), ...seen.filter(({ place }) => isOneOf(calls, place))],
    unseen: calls.filter(({ place }) => !places.has(place)),
  };
}

function isOneOf(calls: readonly BuiltPattern[], place: string): boolean {
  return calls.some((call) => call.place === place);
}

/** Returns the patterns that are built while the work runs, with the places of the calls. */
async function whileRecording(work: () => Promise<void>): Promise<FoundPattern[]> {
  const found: FoundPattern[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, values, newTarget) {
      const pattern = Reflect.construct(target, values, newTarget) as RegExp;
      const place = placeOfCaller();
      if (place !== undefined) found.push({ place, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

/** Returns the file (relative to the working folder) and the line that called `RegExp`. */
function placeOfCaller(): string | undefined {
  const frame = new Error().stack?.split('\n')[3];
  const [, file, line] = /((?:file:|\/|[A-Za-z]:\\).+?):(\d+):\d+\)?$/.exec(frame ?? '') ?? [];
  if (file === undefined) return undefined;
  const name = path.relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);
  return `${name.replaceAll(path.sep, '/')}:${line}`;
}
