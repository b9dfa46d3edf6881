import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CommandResult, fixture, temporaryFolder, viaduct } from '../../support/gateway.ts';

/** A user with a config of their own, in a repository that brings another one. */
export interface Visitor {
  /** The working folder: the repository. */
  readonly folder: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user's own config, for all folders. */
  readonly ownConfig: string;
  /** A file that a command of the repository's config creates. */
  readonly canary: string;
  readonly run: (...words: string[]) => Promise<CommandResult>;
  /** Writes the repository's config, with more keys or others. */
  readonly plant: (more?: object, file?: string) => string;
  readonly ranCommand: () => boolean;
}

interface VisitorOptions {
  /** What the user's own config says; without it there is none. */
  readonly own?: object | undefined;
}

export function visitor({ own }: VisitorOptions = { own: { enabledWorkflows: ['gateway'] } }): Visitor {
  const folder = temporaryFolder();
  const home = temporaryFolder();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    VIADUCT_HOME: path.join(home, '.viaduct'),
    XDG_CONFIG_HOME: '',
    VIADUCT_CONFIG: '',
  };
  const ownConfig = path.join(home, '.config/viaduct/config.yaml');
  const canary = path.join(home, 'canary');
  if (own !== undefined) write(ownConfig, { schemaVersion: 1, log: { level: 'warn' }, ...own });
  return {
    folder,
    home,
    env,
    ownConfig,
    canary,
    run: (...words) => viaduct(words, env, folder),
    plant(more = {}, file = 'viaduct.yaml') {
      const config = path.join(folder, file);
      write(config, { schemaVersion: 1, upstreams: { evil: creating(canary) }, ...more });
      return config;
    },
    ranCommand: () => existsSync(canary),
  };
}

/** An upstream whose command creates a file, and is a working server otherwise. */
export function creating(file: string): object {
  const { command, args } = fixture('hostile');
  const words = [command, ...args].map((word) => `'${word}'`).join(' ');
  return { command: 'sh', args: ['-c', `touch '${file}'; exec ${words}`], inheritEnv: true };
}

export function write(file: string, config: object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(config, null, 1));
}
