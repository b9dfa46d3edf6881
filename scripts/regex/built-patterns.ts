import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuiltPattern, type FoundPattern, patternsOf, sourceFiles } from './find-patterns.ts';

export interface AllPatterns {
  readonly patterns: readonly FoundPattern[];
  /** Calls of `RegExp` of which no pattern was seen. */
  readonly unseen: readonly BuiltPattern[];
}

/**
 * The patterns that stand in the files of a folder, and those that they build when they are loaded.
 * @param exercises by file: what makes it build the patterns that it builds later
 */
export async function allPatterns(
  folder: string,
  exercises: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<AllPatterns> {
  const files = sourceFiles(folder).map((file) => patternsOf(file, readFileSync(file, 'utf8')));
  const calls = files.flatMap(({ built }) => built);
  const seen = await whileRecording(async () => {
    for (const file of new Set(calls.map((call) => call.file))) {
      await import(pathToFileURL(file).href);
      await exercises[file]?.();
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

/** The patterns that are built meanwhile, with the places of the calls. */
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

/** The file, from the working folder, and the line that called `RegExp`. */
function placeOfCaller(): string | undefined {
  const frame = new Error().stack?.split('\n')[3];
  const [, file, line] = /((?:file:|\/|[A-Za-z]:\\).+?):(\d+):\d+\)?$/.exec(frame ?? '') ?? [];
  if (file === undefined) return undefined;
  const name = path.relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);
  return `${name.replaceAll(path.sep, '/')}:${line}`;
}
