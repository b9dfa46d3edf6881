import { dirname, resolve } from 'node:path';
import type { Environment } from '../core/settings/environment.ts';
import { buildConfig, buildPartialEntry } from './build-config.ts';
import { ConfigError, type ConfigIssue } from './findings/config-error.ts';
import { emptyFindings, nulFindings, versionFindings } from './findings/document-findings.ts';
import { type Finding, isMapping, toJsonPath, valueAt } from './findings/finding.ts';
import { checkShape } from './findings/schema-findings.ts';
import { modelFindings } from './model-rules.ts';
import { checkProfiles } from './profiles/profile-rules.ts';
import { type Config, configFileSchema, type WorkflowShapes } from './schema.ts';
import { auditFileFindings, logFileFindings } from './server/log-file.ts';
import { serverFindings } from './server/server-rules.ts';
import { type BrokenEntry, brokenKeys, entryOf, withoutEntries } from './upstreams/broken-entry.ts';
import { commandFindings } from './upstreams/command-line.ts';
import { withDefaults } from './upstreams/defaults.ts';
import { checkUpstreams, type PlacedEntry, prefixOf } from './upstreams/upstream-rules.ts';
import { expandVariables } from './upstreams/upstream-variables.ts';
import { workspaceFindings } from './workspace/workspace-rules.ts';
import { readYaml, type YamlDocument } from './yaml/yaml-document.ts';

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
  const document = readConfigDocument(text, options.path);
  const examined = examine(document, options);
  if (examined.findings.length > 0) throw toError(options.path, document, examined.findings);
  return build(document, options, examined, new Set());
}

/**
 * Reads the text of a config file for a gateway that is to run with it. An entry of `upstreams` that has a fault is in
 * `broken`, and does not keep the others from running.
 * @throws ConfigError with everything that is wrong with the file, if anything outside of entries is
 */
export function parseRunnableConfig(text: string, options: ParseOptions): Config {
  const document = readConfigDocument(text, options.path);
  const examined = examine(document, options);
  const broken = brokenKeys(
    examined.findings,
    examined.entries.map(({ key }) => key),
  );
  if (broken === undefined) throw toError(options.path, document, examined.findings);
  return build(document, options, examined, broken);
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

/** A document with everything that is wrong with it. */
interface Examined {
  readonly folder: string;
  readonly entries: readonly PlacedEntry[];
  /** With variables replaced. */
  readonly value: unknown;
  /** Values that came from variables and may be secret. */
  readonly secrets: readonly string[];
  /** The shape of the whole file, checked. */
  readonly shape: ReturnType<typeof checkConfigShape>;
  readonly findings: readonly Finding[];
}

const checkConfigShape = (value: unknown, options: ParseOptions) => checkShape(configFileSchema(options), value);

function examine(document: YamlDocument, options: ParseOptions): Examined {
  const foreign = versionFindings(document);
  if (foreign !== undefined) throw toError(options.path, document, foreign);
  const folder = dirname(resolve(options.path));
  const entries = placedEntries(document);
  const expanded = expandVariables(document.value, { ...options.env, VIADUCT_CONFIG_DIR: folder });
  const value = withDefaults(withSections(expanded.value, options));
  const shape = checkConfigShape(value, options);
  const findings = [
    ...document.findings,
    ...shape.findings,
    ...expanded.findings,
    ...checkUpstreams(entries, options.reservedPrefixes),
    ...commandFindings(entries, { folder, env: options.env }),
    ...checkProfiles(valueAt(document.value, ['profiles']), {
      upstreams: entries.map(({ key }) => key),
      workflows: options.knownWorkflows,
    }),
    ...logFileFindings(expanded.value, folder, options.env),
    ...auditFileFindings(expanded.value, folder, options.env),
    ...workspaceFindings(expanded.value),
    ...modelFindings(expanded.value),
    ...serverFindings(expanded.value, { folder, env: options.env, knownWorkflows: options.knownWorkflows }),
  ];
  return { folder, entries, value, secrets: expanded.values, shape, findings };
}

/** Builds what runs of a document whose only faults, if it has any, are in these entries. */
function build(document: YamlDocument, options: ParseOptions, examined: Examined, broken: ReadonlySet<string>): Config {
  const { folder, entries, secrets, findings } = examined;
  const checked =
    broken.size === 0 ? examined.shape : checkConfigShape(withoutEntries(examined.value, broken), options);
  if (!('data' in checked)) throw toError(options.path, document, [...findings, ...checked.findings]);
  const context = { folder, env: options.env, values: secrets, order: entries.map(({ key }) => key) };
  const faults = entries.filter(({ key }) => broken.has(key)).map((entry) => describeBroken(entry));
  return buildConfig(checked.data, faults, context);

  function describeBroken({ key, entry }: PlacedEntry): BrokenEntry {
    const ours = findings.filter((finding) => entryOf(finding) === key);
    return {
      key,
      prefix: prefixOf({ key, entry }) ?? key,
      isDisabled: valueAt(entry, ['disabled']) === true,
      issues: toIssues(document, ours),
      partial: buildPartialEntry(key, valueAt(examined.value, ['upstreams', key]), ours, context),
    };
  }
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
  return new ConfigError(path, toIssues(document, findings), { source: document.masked });
}

function toIssues(document: YamlDocument, findings: readonly Finding[]): ConfigIssue[] {
  return findings.map((finding) => ({
    ...document.positions.of(finding),
    jsonPath: toJsonPath(finding.path),
    message: finding.message,
    ...(finding.hint === undefined ? {} : { hint: finding.hint }),
    ...(finding.isUnprotected === true && { isUnprotected: true }),
  }));
}
