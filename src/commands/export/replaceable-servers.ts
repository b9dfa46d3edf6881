import type { ServerListAgent } from '../../agents/server-files.ts';
import { isMapping, valueAt } from '../../config/findings/finding.ts';
import { readConfigText } from '../../config/source/config-file.ts';
import { readYaml } from '../../config/yaml/yaml-document.ts';
import { loadOptions } from '../../gateway/settings/load-settings.ts';
import { OURSELVES, planImport } from '../server-lists/import-plan.ts';
import { readAgentServers } from '../server-lists/read-agent.ts';
import type { AgentFilePlace } from './agent-file.ts';

export interface KeptServer {
  readonly name: string;
  readonly reason: string;
}

/** Servers that an agent no longer needs to run, because the gateway runs them. */
export interface Replaceable {
  /** The keys that lead to each server in the file. */
  readonly paths: readonly (readonly string[])[];
  readonly kept: readonly KeptServer[];
}

export interface ReplaceContext {
  readonly file: string;
  readonly configPath: string;
  readonly ownScript: string | undefined;
}

/** Finds the servers in an agent's file that the config has as well. */
export async function replaceableServers(
  { agent, env, cwd }: AgentFilePlace & { readonly agent: ServerListAgent },
  { file, configPath, ownScript }: ReplaceContext,
): Promise<Replaceable> {
  // All files: one may switch off what another has.
  const { servers } = await readAgentServers({ agent, file: undefined, env, cwd, configPath });
  const { value } = readYaml(await readConfigText(configPath));
  const present = upstreamsOf(value);
  const options = { ...loadOptions(env), configPath, ownScript, present, keepSecrets: false };
  const { entries } = planImport(
    servers.filter((server) => server.file === file),
    options,
  );
  const verdicts = entries
    .filter(({ obstacle }) => obstacle !== OURSELVES)
    .map(({ source, key, isPresent }) => ({
      source,
      reason: reasonToKeep(isPresent ? present[key] : undefined, source),
    }));
  return {
    paths: verdicts.flatMap(({ source, reason }) => (reason === undefined ? [[...source.list, source.name]] : [])),
    kept: verdicts.flatMap(({ source, reason }) => (reason === undefined ? [] : [{ name: source.name, reason }])),
  };
}

function upstreamsOf(config: unknown): Readonly<Record<string, unknown>> {
  const upstreams = valueAt(config, ['upstreams']);
  return isMapping(upstreams) ? upstreams : {};
}

function reasonToKeep(entry: unknown, { disabled }: { readonly disabled: boolean }): string | undefined {
  if (!isMapping(entry)) return 'the config does not have it: import it first';
  return entry.disabled === true && !disabled ? 'it is disabled in the config' : undefined;
}
