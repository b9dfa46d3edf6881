import { dirname, resolve } from 'node:path';
import { buildConfig } from './build-config.ts';
import { ConfigError } from './config-error.ts';
import { emptyFindings, nulFindings, versionFindings } from './document-findings.ts';
import type { Environment } from './expand.ts';
import { type Finding, isMapping, toJsonPath, valueAt } from './finding.ts';
import { auditFileFindings, logFileFindings } from './log-file.ts';
import { checkProfiles } from './profile-rules.ts';
import { type Config, configFileSchema, type WorkflowShapes } from './schema.ts';
import { checkShape } from './schema-findings.ts';
import { serverFindings } from './server-rules.ts';
import { checkUpstreams, type PlacedEntry } from './upstream-rules.ts';
import { expandVariables } from './upstream-variables.ts';
import { workspaceFindings } from './workspace-rules.ts';
import { readYaml, type YamlDocument } from './yaml-document.ts';

export interface LoadOptions extends WorkflowShapes {
  /** Where `${VAR}` is looked up. */
  readonly env: Environment;
  /** Prefixes that no upstream may take → who has them, such as `workflow xcode-ide`. */
  readonly reservedPrefixes: Readonly<Record<string, string>>;
}

export interface ParseOptions extends LoadOptions {
  /** Of the file the text is from: relative folders mean those beside it, and errors name it. */
  readonly path: string;
}

/**
 * Checks the text of a config file (YAML 1.2, so JSON as well).
 * @throws ConfigError with everything that is wrong with it
 */
export function parseConfig(text: string, options: ParseOptions): Config {
  return checkDocument(readConfigDocument(text, options.path), options);
}

/**
 * Reads the text of a config file as YAML, and does not look at what it says. Errors name the file as `path`.
 * @throws ConfigError where it is no YAML that a config may be written in
 */
export function readConfigDocument(text: string, path: string): YamlDocument {
  const source = text.replace(/^\uFEFF/, '');
  const document = readYaml(source);
  const unusable = nulFindings(source) ?? (document.complete ? emptyFindings(document) : document.findings);
  if (unusable !== undefined) throw toError(path, document, unusable);
  return document;
}

function checkDocument(document: YamlDocument, options: ParseOptions): Config {
  const foreign = versionFindings(document);
  if (foreign !== undefined) throw toError(options.path, document, foreign);
  const folder = dirname(resolve(options.path));
  const entries = placedEntries(document);
  const expanded = expandVariables(document.value, { ...options.env, VIADUCT_CONFIG_DIR: folder });
  const checked = checkShape(configFileSchema(options), withSections(expanded.value, options));
  const rules = checkUpstreams(entries, options.reservedPrefixes);
  const findings = [
    ...document.findings,
    ...checked.findings,
    ...expanded.findings,
    ...rules,
    ...checkProfiles(valueAt(document.value, ['profiles']), {
      upstreams: entries.map(({ key }) => key),
      workflows: options.knownWorkflows,
    }),
    ...logFileFindings(expanded.value, folder, options.env),
    ...auditFileFindings(expanded.value, folder, options.env),
    ...workspaceFindings(expanded.value),
    ...serverFindings(expanded.value, { folder, env: options.env, knownWorkflows: options.knownWorkflows }),
  ];
  if (!('data' in checked) || findings.length > 0) throw toError(options.path, document, findings);
  const order = entries.map(({ key }) => key);
  return buildConfig(checked.data, { folder, env: options.env, values: expanded.values, order });
}

/** The options of a workflow that is on are checked, and get their defaults, though the file has no section for it. */
function withSections(value: unknown, { workflowOptions }: WorkflowShapes): unknown {
  if (!isMapping(value) || !Array.isArray(value.enabledWorkflows)) return value;
  const written = value.workflows ?? {};
  if (!isMapping(written)) return value;
  const names = value.enabledWorkflows.map(String).filter((name) => Object.hasOwn(workflowOptions, name));
  return { ...value, workflows: { ...Object.fromEntries(names.map((name) => [name, {}])), ...written } };
}

/** In the order of the file: JavaScript puts keys such as `7` before all others. */
function placedEntries({ value, positions }: YamlDocument): PlacedEntry[] {
  const upstreams = valueAt(value, ['upstreams']);
  if (!isMapping(upstreams)) return [];
  return Object.entries(upstreams)
    .map(([key, entry]) => ({ key, entry, ...positions.of({ path: ['upstreams', key], at: 'key' }) }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function toError(path: string, document: YamlDocument, findings: readonly Finding[]): ConfigError {
  const issues = findings.map((finding) => ({
    ...document.positions.of(finding),
    jsonPath: toJsonPath(finding.path),
    message: finding.message,
    ...(finding.hint === undefined ? {} : { hint: finding.hint }),
    ...(finding.isUnprotected === true && { isUnprotected: true }),
  }));
  return new ConfigError(path, issues, { source: document.masked });
}
