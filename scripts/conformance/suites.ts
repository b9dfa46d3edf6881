/** The official suites that are run. */
export interface Suite {
  readonly name: string;
  /** In which era its clients speak. */
  readonly era: Era;
  /** The package that has it, under the name that it has in test/conformance/package.json. */
  readonly packageName: string;
  readonly words: readonly string[];
}

export type Era = 'legacy' | 'modern';

export const SUITES: readonly Suite[] = [
  { name: '0.1.16', era: 'legacy', packageName: 'conformance-01', words: ['--suite', 'all'] },
  { name: '2025-11-25', era: 'legacy', packageName: 'conformance-02', words: ['--requirements', '2025-11-25'] },
  { name: '2026-07-28', era: 'modern', packageName: 'conformance-02', words: ['--requirements', '2026-07-28'] },
];
