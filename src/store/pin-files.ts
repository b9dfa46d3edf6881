import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { GatewayError } from '../core/errors.ts';
import { makeFolder } from '../core/folders/make-folder.ts';
import type { Pin, PinBook, PinStore, StoredPins } from '../core/stores/pin-store.ts';
import { writeWhole } from './write-whole.ts';

const VERSION = 1;

interface PinFile {
  readonly version: number;
  readonly config: string;
  readonly upstream: string;
  readonly tools: readonly (Pin & { readonly name: string })[];
}

export interface PinFilesOptions {
  readonly folder: string;
  /** Path of the config: equal keys in other configs are other upstreams. */
  readonly config: string;
  onError(error: unknown, message: string): void;
}

/** Keeps pins as files, one for each upstream of a config. */
export class PinFiles implements PinStore {
  readonly #options: PinFilesOptions;
  /** Pins that could not be written: they hold for as long as this process runs. */
  readonly #unwritten = new Map<string, PinBook>();

  constructor(options: PinFilesOptions) {
    this.#options = options;
  }

  load(upstream: string): StoredPins {
    const unwritten = this.#unwritten.get(upstream);
    if (unwritten !== undefined) return unwritten;
    const file = this.#fileOf(upstream);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
      this.#options.onError(error, `the pins of "${upstream}" cannot be read`);
      return 'unreadable';
    }
    return booksIn(text)?.book ?? this.#setAside(upstream, file);
  }

  save(upstream: string, pins: PinBook): void {
    try {
      this.#write(upstream, pins, false);
    } catch (error) {
      this.#unwritten.set(upstream, pins);
      this.#options.onError(error, `the pins of "${upstream}" could not be written; they hold until the gateway ends`);
    }
  }

  approve(upstream: string, pins: PinBook): void {
    try {
      this.#write(upstream, pins, true);
    } catch (error) {
      // `write` names no file in its errors.
      const why = `${this.#fileOf(upstream)} cannot be written: ${(error as Error).message}`;
      throw new GatewayError('STORE_UNAVAILABLE', `Nothing was approved. ${why}`, { effect: 'none', cause: error });
    }
  }

  #write(upstream: string, pins: PinBook, isDurable: boolean): void {
    const tools = [...pins].map(([name, pin]) => ({ name, ...pin }));
    const content: PinFile = { version: VERSION, config: this.#options.config, upstream, tools };
    writeWhole(this.#fileOf(upstream), JSON.stringify(content), { isDurable });
    this.#unwritten.delete(upstream);
  }

  upstreams(): readonly string[] {
    return this.#filesOfConfig().sort();
  }

  /** Tells when pins may have changed, until the function that it returns is called. Keeps no process alive. */
  watch(onChange: () => void): () => void {
    try {
      makeFolder(this.#options.folder, 0o700);
      const watcher = watch(this.#options.folder, { persistent: false }, (_event, file) => {
        if (file === null || file.endsWith('.json')) onChange();
      });
      watcher.on('error', (error) => this.#options.onError(error, 'changes of the pins are no longer noticed'));
      return () => watcher.close();
    } catch (error) {
      this.#options.onError(error, 'changes of the pins are not noticed');
      return () => undefined;
    }
  }

  #filesOfConfig(): string[] {
    return this.#names()
      .filter((name) => name.endsWith('.json'))
      .map((name) => this.#peek(path.join(this.#options.folder, name)))
      .filter((found) => found?.config === this.#options.config)
      .map((found) => found!.upstream);
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#options.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#options.onError(error, 'the pins cannot be listed');
      return [];
    }
  }

  /** A file that cannot be read hides no other one. */
  #peek(file: string): ReturnType<typeof booksIn> {
    try {
      return booksIn(readFileSync(file, 'utf8'));
    } catch (error) {
      // It may have been removed since the folder was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#options.onError(error, `the pins in ${file} cannot be read, so they are not listed`);
      return undefined;
    }
  }

  /**
   * Copied, not moved: at no moment is there no file, which would mean that this upstream was never listed.
   */
  #setAside(upstream: string, file: string): StoredPins {
    const aside = `${file}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    try {
      copyFileSync(file, aside);
    } catch (error) {
      this.#options.onError(error, `the damaged pins of "${upstream}" could not be copied`);
      return 'unreadable';
    }
    this.#options.onError(new Error(`no pins in ${file}`), `the pins of "${upstream}" were damaged; see ${aside}`);
    this.save(upstream, new Map());
    return 'damaged';
  }

  #fileOf(upstream: string): string {
    const hash = createHash('sha256').update(`${this.#options.config}\0${upstream}`).digest('hex').slice(0, 16);
    return path.join(this.#options.folder, `${upstream}-${hash}.json`);
  }
}

/** `undefined` for text that is not what `save` writes. */
function booksIn(text: string): { config: string; upstream: string; book: PinBook } | undefined {
  let value: Partial<PinFile> | null;
  try {
    value = JSON.parse(text) as Partial<PinFile> | null;
  } catch {
    return undefined;
  }
  if (value?.version !== VERSION || typeof value.config !== 'string' || typeof value.upstream !== 'string') return;
  if (!Array.isArray(value.tools) || !value.tools.every(isNamedPin)) return;
  const book = new Map(value.tools.map(({ name, ...pin }) => [name, pin]));
  return { config: value.config, upstream: value.upstream, book };
}

function isNamedPin(value: unknown): value is Pin & { name: string } {
  const { name, approved, pending } = (value ?? {}) as Record<string, unknown>;
  const isWhole = (part: unknown) => part === undefined || isPinned(part);
  return typeof name === 'string' && isWhole(approved) && isWhole(pending);
}

function isPinned(value: unknown): boolean {
  const { hash, definition, since } = (value ?? {}) as Record<string, unknown>;
  return typeof hash === 'string' && typeof since === 'string' && typeof definition === 'object' && definition !== null;
}
