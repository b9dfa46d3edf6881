import { dirname, resolve } from 'node:path';
import type { Environment } from '../core/settings/environment.ts';
import { TRANSPORTS } from '../upstream/transports/manifests/index.ts';
import { buildConfig } from './build-config.ts';
import { type FileModel, fileModel } from './file-model.ts';
import { ConfigError, type ConfigIssue } from './findings/config-error.ts';
import { emptyFindings, nulFindings, versionFindings } from './findings/document-findings.ts';
import { type Finding, isMapping, toJsonPath, valueAt } from './findings/finding.ts';
import { checkShape } from './findings/schema-findings.ts';
import { ruleFindings } from './keys/key-rules.ts';
import { expandVariables } from './keys/key-variables.ts';
import { modelFindings } from './model-rules.ts';
import { checkProfiles } from './profiles/profile-rules.ts';
import type { Config, ConfigShapes } from './schema.ts';
import { collectSecrets } from './secrets/collect-secrets.ts';
import { serverFindings } from './server/server-rules.ts';
import { type BrokenEntry, brokenKeys, entryOf, withoutEntries } from './upstreams/broken-entry.ts';
import { buildPartialEntry, type EntryContext } from './upstreams/build-entry.ts';
import { withDefaults } from './upstreams/defaults.ts';
import type { PlacedEntry } from './upstreams/placed-entry.ts';
import { checkUpstreams, prefixOf } from './upstreams/upstream-rules.ts';
import { workspaceFindings } from './workspace/workspace-rules.ts';
import { readYaml, type YamlDocument } from './yaml/yaml-document.ts';

export interface LoadOptions extends ConfigShapes {
  /** The variables that replace `${VAR}`. */
  readonly env: Environment;
  /** Prefixes that no upstream may take, each with its owner, such as `workflow xcode-ide`. */
  readonly reservedPrefixes: Readonly<Record<string, string>>;
}

export interface ParseOptions extends LoadOptions {
  /** The path of the file: relative folders start at its folder, and errors name it. */
  readonly path: string;
}

/**
 * Checks the text of a config file (YAML 1.2, so JSON as well).
 * @throws ConfigError with everything that is wrong with it
 */
export function parseConfig(text: string, options: ParseOptions): Config {
  const examined = examine(text, options);
  if (examined.findings.length > 0) throw errorOf(examined, examined.findings);
  return build(examined, new Set());
}

/**
 * Reads the text of a config file for a gateway that is to run with it. An entry of `upstreams` that has a fault is in
 * `broken`, and does not keep the others from running.
 * @throws ConfigError with everything that is wrong with the file, if anything outside of entries is
 */
export function parseRunnableConfig(text: string, options: ParseOptions): Config {
  const examined = examine(text, options);
  const broken = brokenKeys(
    examined.findings,
    examined.entries.map(({ key }) => key),
  );
  if (broken === undefined) throw errorOf(examined, examined.findings);
  return build(examined, broken);
}

/**
 * Reads the text of a config file as YAML, and does not check what it says.
 * @param path the path of the file, for errors
 * @param model tells what is masked where an error quotes the file
 * @throws ConfigError if a config cannot be written in this form
 */
export function readConfigDocument(text: string, path: string, model: Pick<FileModel, 'secretNames'>): YamlDocument {
  const source = text.replace(/^\uFEFF/, '');
  const document = readYaml(source);
  const unusable = nulFindings(source) ?? (document.complete ? emptyFindings(document) : document.findings);
  if (unusable !== undefined) throw errorOf({ path, document, model }, unusable);
  return document;
}

/** A document, with what is needed to report what is wrong with it. */
interface Read {
  readonly path: string;
  readonly document: YamlDocument;
  readonly model: Pick<FileModel, 'secretNames'>;
}

/** A document with everything that is wrong with it. */
interface Examined extends Read {
  readonly model: FileModel;
  readonly options: ParseOptions;
  readonly folder: string;
  readonly entries: readonly PlacedEntry[];
  /** The value of the file with variables replaced and `defaults` merged into the entries. */
  readonly value: unknown;
  /** Values that came from variables and may be secret. */
  readonly secrets: readonly string[];
  /** Names of the variables that are used, in alphabetical order. */
  readonly variables: readonly string[];
  /** The result of checking the form of the whole file. */
  readonly shape: ReturnType<typeof checkFile>;
  readonly findings: readonly Finding[];
}

/** Its value is the folder of the file. */
const FOLDER_VARIABLE = 'VIADUCT_CONFIG_DIR';

const checkFile = (value: unknown, { schema, keys }: FileModel) => checkShape(schema, value, keys);

function examine(text: string, options: ParseOptions): Examined {
  const { path, env, transports = TRANSPORTS } = options;
  const model = fileModel(options);
  const document = readConfigDocument(text, path, model);
  const foreign = versionFindings(document);
  if (foreign !== undefined) throw errorOf({ path, document, model }, foreign);
  const folder = dirname(resolve(path));
  const entries = placedEntries(document);
  const expanded = expandVariables(document.value, model.keys, { ...env, [FOLDER_VARIABLE]: folder });
  const variables = expanded.names.filter((name) => name !== FOLDER_VARIABLE);
  const value = withDefaults(withSections(expanded.value, options), transports);
  const shape = checkFile(value, model);
  const findings = [
    ...document.findings,
    ...shape.findings,
    ...expanded.findings,
    ...checkUpstreams(entries, options.reservedPrefixes, transports),
    ...ruleFindings(model.keys, { written: document.value, expanded: expanded.value }, { folder, env }),
    ...checkProfiles(valueAt(document.value, ['profiles']), {
      upstreams: entries.map(({ key }) => key),
      workflows: options.knownWorkflows,
    }),
    ...workspaceFindings(expanded.value),
    ...modelFindings(expanded.value, model.keys),
    ...serverFindings(expanded.value, options.knownWorkflows),
  ];
  return {
    path,
    document,
    model,
    options,
    folder,
    entries,
    value,
    secrets: expanded.values,
    variables,
    shape,
    findings,
  };
}

/** Builds what runs of a document whose only faults, if it has any, are in the entries `broken`. */
function build(examined: Examined, broken: ReadonlySet<string>): Config {
  const { options, folder, model, entries, findings, value } = examined;
  const checked = broken.size === 0 ? examined.shape : checkFile(withoutEntries(value, broken), model);
  if (!('data' in checked)) throw errorOf(examined, [...findings, ...checked.findings]);
  const { env, transports = TRANSPORTS } = options;
  const context = { folder, env, transports };
  const faults = entries.filter(({ key }) => broken.has(key)).map((entry) => describeBroken(entry, examined, context));
  const secrets = collectSecrets(value, model.keys, examined.secrets, {
    ...context,
    enabledWorkflows: checked.data.enabledWorkflows,
  });
  const order = entries.map(({ key }) => key);
  return buildConfig(checked.data, { ...context, broken: faults, secrets, order, variables: examined.variables });
}

function describeBroken({ key, entry }: PlacedEntry, examined: Examined, context: EntryContext): BrokenEntry {
  const ours = examined.findings.filter((finding) => entryOf(finding) === key);
  return {
    key,
    prefix: prefixOf({ key, entry }) ?? key,
    isDisabled: valueAt(entry, ['disabled']) === true,
    issues: toIssues(examined.document, ours),
    partial: buildPartialEntry(key, valueAt(examined.value, ['upstreams', key]), ours, context),
  };
}

/** Adds empty sections for enabled workflows without one, so that their options get defaults and are checked. */
function withSections(value: unknown, { workflowOptions }: ConfigShapes): unknown {
  if (!isMapping(value) || !Array.isArray(value.enabledWorkflows)) return value;
  const written = value.workflows ?? {};
  if (!isMapping(written)) return value;
  const names = value.enabledWorkflows.map(String).filter((name) => Object.hasOwn(workflowOptions, name));
  return { ...value, workflows: { ...Object.fromEntries(names.map((name) => [name, {}])), ...written } };
}

/** Returns the entries in the order of the file: JavaScript puts keys such as `7` before all others. */
function placedEntries({ value, positions }: YamlDocument): PlacedEntry[] {
  const upstreams = valueAt(value, ['upstreams']);
  if (!isMapping(upstreams)) return [];
  return Object.entries(upstreams)
    .map(([key, entry]) => ({ key, entry, ...positions.of({ path: ['upstreams', key], at: 'key' }) }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function errorOf({ path, document, model }: Read, findings: readonly Finding[]): ConfigError {
  return new ConfigError(path, toIssues(document, findings), { source: document.masked(model.secretNames) });
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
