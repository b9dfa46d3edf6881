import { pathWords } from './path-words.ts';
import type { Query } from './query.ts';

/** Kinds of files that are less often what is looked for, and the word by which a query asks for them. */
const KINDS: readonly { readonly path: RegExp; readonly weight: number; readonly unless?: string }[] = [
  { path: /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures?|mocks?)\//i, weight: 0.3, unless: 'test' },
  { path: /(?:^|\/)test_[^/]*$|[._-](?:test|spec)\.\w+$|[a-z]Tests?\.\w+$/, weight: 0.3, unless: 'test' },
  { path: /(?:^|\/)(?:bench|benches|benchmarks?|perf)\//i, weight: 0.4, unless: 'benchmark' },
  { path: /(?:^|\/)(?:examples?|samples?|demos?)\//i, weight: 0.4, unless: 'exampl' },
  { path: /(?:^|\/)(?:compat|legacy|vendor|third_party|extras?|contrib)\//i, weight: 0.4 },
  { path: /\.(?:md|mdx|markdown|rst|txt|adoc|html?)$/i, weight: 0.5, unless: 'doc' },
  { path: /\.(?:json|jsonc|ya?ml|toml|ini|cfg|xml|svg|css|csv|lock)$/i, weight: 0.5 },
  { path: /\.d\.[cm]?ts$/, weight: 0.7 },
];

/** Weight of a file that only passes on the parts of its folder. */
const BARREL = 0.8;

/** Returns by how much the scores of a file are multiplied, 0 to 1. */
export function pathWeight(path: string, query: Query): number {
  let weight = 1;
  // A test in a folder of tests is a test once.
  for (const kind of KINDS) {
    if (kind.weight < weight && kind.path.test(path) && !(kind.unless && query.terms.includes(kind.unless)))
      weight *= kind.weight;
  }
  return weight;
}

/** Returns by how much a chunk's is multiplied. */
export const barrelWeight = (path: string, kind: string): number =>
  kind === 'block' && pathWords(path).isEntry ? BARREL : 1;
