import { readFileSync } from 'node:fs';
import type { Config } from '../../config/schema.ts';
import { asObject } from '../../core/json/as-object.ts';
import { writeWhole } from '../../store/write-whole.ts';
import { configFiles } from '../settings/paths.ts';
import { VERSION } from '../version.ts';

/**
 * The facts of a config that a client needs to find its gateway. They are kept in a file, so that a client of a gateway that runs
 * loads nothing that reads YAML.
 */
export interface ConfigFacts {
  /** The SHA-256 of the content that they are about. */
  readonly sha256: string;
  readonly mode: Config['gateway']['mode'];
  /** Key of an entry with `inheritEnv: true`, if there is one: its process needs all variables of its client. */
  readonly inheritsEnv?: string | undefined;
  /** Names of the variables that the config uses. */
  readonly variables: readonly string[];
  readonly profiles: readonly string[];
}

/** Returns the facts of a config that was read. */
export function factsOf(config: Config, sha256: string): ConfigFacts {
  const { gateway, upstreams, variables, profiles } = config;
  const inheriting = upstreams.find((entry) => 'inheritEnv' in entry && entry.inheritEnv);
  return {
    sha256,
    mode: gateway.mode,
    ...(inheriting !== undefined && { inheritsEnv: inheriting.key }),
    variables,
    profiles: Object.keys(profiles),
  };
}

/** Returns the facts that were kept of the last content of a config that could be read, even if it has changed since. */
export function keptFacts(home: string, configPath: string): ConfigFacts | undefined {
  try {
    const kept = asObject(JSON.parse(readFileSync(configFiles(home, configPath).facts, 'utf8')));
    return kept.version === VERSION ? (kept.facts as ConfigFacts) : undefined;
  } catch {
    return undefined; // the config was never read, or the file is damaged: the next process that reads the config writes it again
  }
}

/** Keeps the facts for the clients that come later. */
export function keepFacts(home: string, configPath: string, facts: ConfigFacts): void {
  const text = JSON.stringify({ version: VERSION, facts });
  try {
    writeWhole(configFiles(home, configPath).facts, text);
  } catch {
    // They only make later starts faster; where the folder cannot be written, each client reads the config.
  }
}
