import type { Environment } from '../../core/settings/environment.ts';
import { expand } from '../expand.ts';
import { type ConfigPath, type Finding, isMapping } from '../findings/finding.ts';
import { isPublicName } from '../secrets/secrets.ts';

/** Sections of workflows that say where a service is, and the key that it wants. */
export const SERVICES = ['embeddings', 'qdrant', 'influx'] as const;
/** Keys of such sections that are a secret. */
export const SERVICE_SECRETS = ['apiKey', 'token'] as const;
const EXPANDED_IN_SERVICES: readonly string[] = ['url', ...SERVICE_SECRETS];

export interface ExpandedFile {
  /** The file's value with the variables replaced: in `command`, `args`, `env`, `cwd`, `url`, `headers`, `auth`, `tls` and `workspace` of upstreams and of `defaults`, in `log.file`, `audit.file` and `database`, in the folders of `workspace`, in `token` of workflows, in `url`, `apiKey` and `token` of the services that they use, in the values of `env` of their `builds`, in `url` and `apiKey` of the backends of `models`. */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** Values that came from variables and may be secret. */
  readonly values: readonly string[];
}

/** Goes through a value of any shape: what is not as it should be is left for the schema to say. */
export function expandVariables(file: unknown, env: Environment): ExpandedFile {
  if (!isMapping(file)) return { value: file, findings: [], values: [] };
  const expander = new EntryExpander(env);
  const { upstreams, log, audit, database, workspace, workflows, models } = file;
  const value = {
    ...file,
    ...('defaults' in file && { defaults: expander.expandEntry(file.defaults, ['defaults']) }),
    ...(isMapping(upstreams) && {
      upstreams: mapValues(upstreams, (entry, key) => expander.expandEntry(entry, ['upstreams', key])),
    }),
    ...('database' in file && { database: expander.expandText(database, ['database']) }),
    ...(isMapping(workspace) && { workspace: expander.expandWorkspace(workspace) }),
    ...(isMapping(workflows) && {
      workflows: mapValues(workflows, (options, name) => expander.expandWorkflow(options, name)),
    }),
    ...(isMapping(models) && { models: expander.expandModels(models) }),
    ...(isMapping(log) && 'file' in log && { log: { ...log, file: expander.expandText(log.file, ['log', 'file']) } }),
    ...(isMapping(audit) &&
      'file' in audit && { audit: { ...audit, file: expander.expandText(audit.file, ['audit', 'file']) } }),
  };
  return { value, findings: expander.findings, values: expander.values };
}

class EntryExpander {
  readonly findings: Finding[] = [];
  readonly values: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  expandEntry(entry: unknown, path: ConfigPath): unknown {
    if (!isMapping(entry)) return entry;
    // Whoever switches an entry off may well have no token for it.
    const lenient = entry.disabled === true;
    const text = (value: unknown, at: ConfigPath): unknown => this.expandText(value, at, lenient);
    const { args, env, headers, tls, auth } = entry;
    return {
      ...entry,
      ...('command' in entry ? { command: text(entry.command, [...path, 'command']) } : {}),
      ...('url' in entry ? { url: text(entry.url, [...path, 'url']) } : {}),
      ...('workspace' in entry ? { workspace: text(entry.workspace, [...path, 'workspace']) } : {}),
      ...('cwd' in entry ? { cwd: text(entry.cwd, [...path, 'cwd']) } : {}),
      ...(Array.isArray(args) ? { args: args.map((item, index) => text(item, [...path, 'args', index])) } : {}),
      ...(isMapping(env) ? { env: mapValues(env, (value, name) => text(value, [...path, 'env', name])) } : {}),
      ...(isMapping(headers)
        ? { headers: mapValues(headers, (value, name) => text(value, [...path, 'headers', name])) }
        : {}),
      ...(isMapping(tls) ? { tls: mapValues(tls, (value, name) => text(value, [...path, 'tls', name])) } : {}),
      ...(isMapping(auth) ? { auth: mapValues(auth, (value, name) => text(value, [...path, 'auth', name])) } : {}),
    };
  }

  expandWorkspace(workspace: Readonly<Record<string, unknown>>): unknown {
    const { root, roots, clientFolders } = workspace;
    return {
      ...workspace,
      ...('root' in workspace && { root: this.expandText(root, ['workspace', 'root']) }),
      ...(isMapping(roots) && {
        roots: mapValues(roots, (value, name) => this.expandText(value, ['workspace', 'roots', name])),
      }),
      ...(Array.isArray(clientFolders) && {
        clientFolders: clientFolders.map((item, at) => this.expandText(item, ['workspace', 'clientFolders', at])),
      }),
    };
  }

  expandWorkflow(options: unknown, workflow: string): unknown {
    if (!isMapping(options)) return options;
    const path = ['workflows', workflow];
    const services = SERVICES.filter((name) => isMapping(options[name]));
    const { builds } = options;
    return {
      ...options,
      ...(isMapping(builds) && {
        builds: mapValues(builds, (one, name) => this.#expandBuild(one, [...path, 'builds', name])),
      }),
      ...('token' in options && { token: this.expandText(options.token, [...path, 'token']) }),
      ...Object.fromEntries(services.map((name) => [name, this.#expandService(options[name], [...path, name])])),
    };
  }

  expandModels(models: Readonly<Record<string, unknown>>): unknown {
    const { backends } = models;
    if (!isMapping(backends)) return models;
    const path = ['models', 'backends'];
    return { ...models, backends: mapValues(backends, (one, name) => this.#expandService(one, [...path, name])) };
  }

  #expandBuild(build: unknown, path: ConfigPath): unknown {
    if (!isMapping(build) || !isMapping(build.env)) return build;
    return { ...build, env: mapValues(build.env, (value, name) => this.expandText(value, [...path, 'env', name])) };
  }

  #expandService(service: unknown, path: ConfigPath): unknown {
    if (!isMapping(service)) return service;
    return mapValues(service, (value, name) =>
      EXPANDED_IN_SERVICES.includes(name) ? this.expandText(value, [...path, name]) : value,
    );
  }

  expandText(value: unknown, path: ConfigPath, lenient = false): unknown {
    if (typeof value !== 'string') return value;
    const expansion = expand(value, this.#env);
    for (const { name, value: found } of expansion.used) if (!isPublicName(name)) this.values.push(found);
    for (const reference of expansion.malformed) this.findings.push(malformedFinding(reference, path));
    if (!lenient) for (const name of expansion.unset) this.findings.push(unsetFinding(name, path));
    return expansion.text;
  }
}

const unsetFinding = (name: string, path: ConfigPath): Finding => ({
  path,
  message: `the variable ${name} is not set`,
  hint: `set ${name} where Viaduct is started, or give a default: \${${name}:-value}`,
  isUnset: true,
});

function malformedFinding(reference: string, path: ConfigPath): Finding {
  const literal = 'for a literal "${" write "$${"; one reference cannot contain another';
  if (!reference.endsWith('}')) return { path, message: `a "\${" without its "}"`, hint: literal };
  // The form of VS Code and Cursor.
  const name = /^\$\{env:(\w+)\}$/.exec(reference)?.[1];
  const hint = name === undefined ? `a variable is \${NAME} or \${NAME:-default}; ${literal}` : `write \${${name}}`;
  return { path, message: `a "\${…}" that is no variable`, hint };
}

const mapValues = (
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
