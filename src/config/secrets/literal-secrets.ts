import { passwordsIn } from '../../core/addresses/postgres-url.ts';
import { type ConfigPath, isMapping, toJsonPath, valueAt } from '../findings/finding.ts';
import { SERVICE_SECRETS, SERVICES } from '../upstreams/upstream-variables.ts';
import { readYaml } from '../yaml/yaml-document.ts';
import { MIN_SECRET_LENGTH } from './mask.ts';
import { isPublicName } from './secrets.ts';

/** Where a config's text has values of `env` (also of builds) and `headers`, secrets of `auth`, a `passphrase`, an `apiKey`, or a password in `database`, that stand there themselves and are no references: secrets, perhaps. */
export function literalSecrets(text: string): string[] {
  const { value } = readYaml(text);
  return [
    ...(hasPassword(valueAt(value, ['database'])) ? ['database'] : []),
    ...inEntry(['defaults'], valueAt(value, ['defaults'])),
    ...inUpstreams(valueAt(value, ['upstreams'])),
    ...inWorkflows(valueAt(value, ['workflows'])),
    ...inModels(valueAt(value, ['models', 'backends'])),
  ];
}

function inWorkflows(workflows: unknown): string[] {
  if (!isMapping(workflows)) return [];
  const keys = Object.keys(workflows).flatMap((name) =>
    SERVICES.flatMap((service) => SERVICE_SECRETS.map((key) => [name, service, key])),
  );
  const inServices = keys.filter((path) => isLiteral(valueAt(workflows, path)));
  return [...inServices.map((path) => toJsonPath(['workflows', ...path])), ...inBuilds(workflows)];
}

function inBuilds(workflows: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(workflows).flatMap((workflow) => {
    const builds = valueAt(workflows, [workflow, 'builds']);
    const names = isMapping(builds) ? Object.keys(builds) : [];
    return names.flatMap((name) => inSection(['workflows', workflow, 'builds', name], 'env', valueAt(builds, [name])));
  });
}

function inModels(backends: unknown): string[] {
  if (!isMapping(backends)) return [];
  const keys = Object.keys(backends).map((name) => [name, 'apiKey']);
  return keys
    .filter((path) => isLiteral(valueAt(backends, path)))
    .map((path) => toJsonPath(['models', 'backends', ...path]));
}

function inUpstreams(upstreams: unknown): string[] {
  if (!isMapping(upstreams)) return [];
  return Object.entries(upstreams).flatMap(([key, entry]) => inEntry(['upstreams', key], entry));
}

function inEntry(path: ConfigPath, entry: unknown): string[] {
  return ['env', 'headers', 'auth', 'tls'].flatMap((section) => inSection(path, section, entry));
}

function inSection(path: ConfigPath, section: string, entry: unknown): string[] {
  const values = valueAt(entry, [section]);
  if (!isMapping(values)) return [];
  return Object.entries(values)
    .filter(([name, value]) => isSecret(section, name, value) && isLiteral(value))
    .map(([name]) => toJsonPath([...path, section, name]));
}

function isSecret(section: string, name: string, value: unknown): boolean {
  if (section === 'tls') return name === 'passphrase';
  if (section !== 'auth') return !isPublicName(name);
  return name === 'clientSecret' || (name === 'key' && String(value).includes('-----BEGIN '));
}

/** A url with a password in it that is no reference. */
function hasPassword(url: unknown): boolean {
  return typeof url === 'string' && passwordsIn(url).some((password) => !password.startsWith('${'));
}

function isLiteral(value: unknown): boolean {
  return typeof value === 'string' && value.length >= MIN_SECRET_LENGTH && !value.includes('${');
}
