import { ConfigError, issueLine } from '../../config/findings/config-error.ts';
import { parseRunnableConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import type { ConfigFile } from '../../config/source/config-file.ts';
import { readOwnConfig } from '../../config/source/find.ts';
import { brokenReason } from '../../config/upstreams/broken-entry.ts';
import { watchConfig } from '../../config/watch.ts';
import { coalesce } from '../../core/timing/coalesce.ts';
import { type ConfigNotice, invalidNotice, keptNotice, pendingNotice } from '../trust/notices.ts';
import { trustFile, trustOf } from '../trust/trust-file.ts';
import { withLastValid } from './last-valid.ts';
import { loadOptions, registerSecrets, type Settings } from './load-settings.ts';

/** A part that adopts a changed config. */
export interface Reloadable {
  reload(config: Config): void | Promise<void>;
}

/**
 * Follows the config file while the gateway runs: each of `parts` in turn goes over to what it says. A file that is not
 * valid changes nothing but the log and the status. An entry that has a fault stays as it was. Nor does a config in the working folder whose new content the user has not trusted;
 * it is read as soon as they trust it.
 */
export function followConfig(
  parts: readonly Reloadable[],
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): { close(): Promise<void> } {
  const follower = new ConfigFollower(parts, settings, env);
  const watches = [watchConfig(settings.configPath, () => follower.onFile())];
  if (settings.source.scope === 'folder') {
    watches.push(watchConfig(trustFile(settings.home), () => follower.onTrust()));
  }
  // The file may have changed since it was read for the start.
  follower.onTrust();
  return {
    async close() {
      await Promise.all(watches.map((watch) => watch.close()));
    },
  };
}

class ConfigFollower {
  readonly #parts: readonly Reloadable[];
  readonly #settings: Settings;
  readonly #env: Readonly<Record<string, string | undefined>>;
  /** SHA-256 of the content that is in force. */
  #inForce: string;
  /** The config in force. */
  #config: Config;
  /** The file was written, so that it is read again even if it says the same. */
  #isWritten = false;
  /** The last content reported as not trusted: it is reported only once. */
  #refused: string | undefined;
  readonly #look = coalesce(() => this.#readAgain());

  constructor(parts: readonly Reloadable[], settings: Settings, env: Readonly<Record<string, string | undefined>>) {
    this.#parts = parts;
    this.#settings = settings;
    this.#env = env;
    this.#inForce = settings.source.sha256;
    this.#config = settings.config;
  }

  onFile(): void {
    this.#isWritten = true;
    void this.#look();
  }

  onTrust(): void {
    void this.#look();
  }

  async #readAgain(): Promise<void> {
    const { log, configPath, source, notices } = this.#settings;
    const isWritten = this.#isWritten;
    this.#isWritten = false;
    try {
      const file = await readOwnConfig({ path: configPath, scope: source.scope });
      if (!(await this.#isTrusted(file))) return;
      if (isWritten || file.sha256 !== this.#inForce) await this.#apply(file);
    } catch (error) {
      const reason = error instanceof ConfigError ? error.format() : String(error);
      notices.invalid = [invalidNotice(configPath, reasonIn(error))];
      log.error({ event: 'reload', reason }, 'the config is not valid; the last valid one stays in force');
    }
  }

  /** A file that is named, or the user's own, needs no trust. */
  async #isTrusted(file: ConfigFile): Promise<boolean> {
    const { source, home, notices } = this.#settings;
    const trust = source.scope === 'folder' ? await trustOf(home, file) : 'trusted';
    notices.pending = trust === 'trusted' ? undefined : pendingNotice(file.path, trust);
    const refused = trust === 'trusted' ? undefined : `${trust} ${file.sha256}`;
    if (refused !== this.#refused && notices.pending !== undefined) this.#tell(notices.pending);
    this.#refused = refused;
    return trust === 'trusted';
  }

  #tell({ path, message, fix }: ConfigNotice): void {
    this.#settings.log.warn({ event: 'reload', path, fix }, `the config ${message}; to use it: ${fix}`);
  }

  async #apply({ path, text, sha256 }: ConfigFile): Promise<void> {
    const { masker, log, notices } = this.#settings;
    const read = parseRunnableConfig(text, { ...loadOptions(this.#env), path });
    registerSecrets(masker, read);
    const { config, kept } = withLastValid(read, this.#config);
    for (const part of this.#parts) await part.reload(config);
    this.#inForce = sha256;
    this.#config = config;
    notices.invalid = kept.map((entry) => keptNotice(path, entry));
    log.info({ event: 'reload' }, 'the config was read again');
    for (const entry of kept) {
      const fields = { event: 'reload', upstream: entry.key, reason: brokenReason(entry) };
      log.error(fields, 'an entry of the config is not valid; the last valid one stays in force');
    }
  }
}

/** Returns the reason in one line. */
function reasonIn(error: unknown): string {
  if (error instanceof ConfigError) return issueLine(error.issues);
  return error instanceof Error ? error.message : String(error);
}
