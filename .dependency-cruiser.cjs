/**
 * Imports follow the message and never turn back (docs/ARCHITECTURE.md). One row a folder: what it may import of ours.
 */
const mayImport = {
  cli: ['app', 'config', 'core', 'telemetry'],
  app: [
    'downstream',
    'session',
    'router',
    'catalogue',
    'policy',
    'upstream',
    'workflows',
    'agents',
    'workspace',
    'process',
    'redaction',
    'store',
    'schema',
    'config',
    'telemetry',
    'era',
    'wire',
    'core',
  ],
  downstream: ['session', 'era', 'wire', 'core', 'telemetry'],
  session: ['router', 'catalogue', 'era', 'wire', 'core', 'telemetry'],
  router: ['catalogue', 'policy', 'wire', 'core', 'telemetry'],
  policy: ['redaction', 'schema', 'wire', 'core', 'telemetry'],
  catalogue: ['schema', 'wire', 'core', 'telemetry'],
  upstream: ['process', 'era', 'wire', 'schema', 'core', 'telemetry'],
  workflows: ['agents', 'workspace', 'process', 'redaction', 'store', 'schema', 'wire', 'core', 'telemetry'],
  workspace: ['core'],
  process: ['core'],
  redaction: ['core'],
  agents: ['core'],
  store: ['core'],
  schema: ['core'],
  config: ['core'],
  telemetry: ['core'],
  era: ['wire', 'core'],
  wire: [],
  core: ['wire'],
};

const layerRules = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `src/${folder} may import only: ${allowed.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'workflows-are-separate',
      comment: 'a workflow never imports another workflow',
      severity: 'error',
      from: { path: '^src/workflows/([^/]+)/' },
      to: { path: '^src/workflows/([^/]+)/', pathNot: '^src/workflows/$1/' },
    },
    {
      name: 'manifests-are-light',
      comment: 'a manifest is read at every start: the code of its workflow is imported by its load()',
      severity: 'error',
      from: { path: '^src/workflows/[^/]+/manifest\\.ts$' },
      to: { path: '^src/workflows/', pathNot: '/(define|options)\\.ts$', dynamic: false },
    },
    {
      name: 'sdk-at-the-edges',
      comment: "the MCP SDK's values are imported only in downstream/ and upstream/",
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(downstream|upstream)/' },
      to: { path: '@modelcontextprotocol/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'nothing-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
