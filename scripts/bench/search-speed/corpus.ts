import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const EXTENSIONS: ReadonlySet<string> = new Set(
  '.js .ts .mjs .cjs .mts .cts .md .json .c .h .cc .cpp .py .rs .css .html'.split(' '),
);
const [LEAST_BYTES, MOST_BYTES] = [50, 400_000];
/** Folders that no index looks into have other names in the copy. */
const RENAMED: Readonly<Record<string, string>> = {
  node_modules: 'deps',
  dist: 'shipped',
  build: 'made',
  out: 'put',
  coverage: 'covered',
  vendor: 'others',
};

export interface Corpus {
  readonly files: number;
  readonly megabytes: number;
}

/** Copies so many source files of the installed packages into a folder: always the same ones of the same packages. */
export function copyPackages(target: string, count: number): Corpus {
  const all = [...sourceFiles(path.resolve('node_modules'))].sort(([one], [other]) => (one < other ? -1 : 1));
  const chosen = all.filter((_, index) => (index * count) % all.length < count);
  let bytes = 0;
  for (const [file, size] of chosen) {
    const parts = path.relative('node_modules', file).split(path.sep);
    const place = path.join(target, ...parts.map((part) => RENAMED[part] ?? part));
    mkdirSync(path.dirname(place), { recursive: true });
    copyFileSync(file, place);
    bytes += size;
  }
  return { files: chosen.length, megabytes: bytes / 1e6 };
}

function* sourceFiles(folder: string): Generator<readonly [file: string, size: number]> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(place);
    if (!entry.isFile() || !EXTENSIONS.has(path.extname(entry.name)) || entry.name.includes('.min.')) continue;
    const { size } = statSync(place);
    if (size >= LEAST_BYTES && size <= MOST_BYTES) yield [place, size];
  }
}
