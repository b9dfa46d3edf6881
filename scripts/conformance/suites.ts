/** The official suites that are run. */
export interface Suite {
  readonly name: string;
  /** In which era its clients speak. */
  readonly era: Era;
  /** The package that has it, under the name that it has in test/conformance/package.json. */
  readonly packageName: string;
  readonly words: readonly string[];
  /** The revision that its client scenarios are run with, and those that are not about authorization. */
  readonly specVersion: string;
  readonly clientScenarios: readonly string[];
}

export type Era = 'legacy' | 'modern';

const LEGACY_CLIENT = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];

export const SUITES: readonly Suite[] = [
  {
    name: '0.1.16',
    era: 'legacy',
    packageName: 'conformance-01',
    words: ['--suite', 'all'],
    specVersion: '2025-11-25',
    clientScenarios: LEGACY_CLIENT,
  },
  {
    name: '2025-11-25',
    era: 'legacy',
    packageName: 'conformance-02',
    words: ['--requirements', '2025-11-25'],
    specVersion: '2025-11-25',
    clientScenarios: [...LEGACY_CLIENT, 'json-schema-2020-12-preservation'],
  },
  {
    name: '2026-07-28',
    era: 'modern',
    packageName: 'conformance-02',
    words: ['--requirements', '2026-07-28'],
    specVersion: '2026-07-28',
    clientScenarios: [
      'tools_call',
      'request-metadata',
      'http-standard-headers',
      'http-custom-headers',
      'http-invalid-tool-headers',
      'json-schema-ref-no-deref',
      'json-schema-2020-12-preservation',
      'sep-2322-client-request-state',
    ],
  },
];
