import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { GatewayError } from '../core/errors.ts';
import { makeFolder } from '../core/folders/make-folder.ts';
import type { PinBook, PinStore, StoredPins } from '../core/stores/pin-store.ts';
import { FileMemory } from './file-memory.ts';
import { stampOf } from './file-stamp.ts';
import { type ConfigPins, pinsIn, pinText } from './pin-text.ts';
import { writeWhole } from './write-whole.ts';

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
  readonly #memory = new FileMemory<PinBook>();
  /** The files of the upstreams that were asked for, by upstream. */
  readonly #files = new Map<string, string>();

  constructor(options: PinFilesOptions) {
    this.#options = options;
  }

  load(upstream: string): StoredPins {
    const unwritten = this.#unwritten.get(upstream);
    if (unwritten !== undefined) return unwritten;
    const file = this.#fileOf(upstream);
    return this.#memory.get(file) ?? this.#read(upstream, file);
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

  #read(upstream: string, file: string): StoredPins {
    const stamp = stampOf(file);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
      this.#options.onError(error, `the pins of "${upstream}" cannot be read`);
      return 'unreadable';
    }
    const book = pinsIn(text)?.book;
    if (book === undefined) return this.#setAside(upstream, file);
    this.#memory.onRead(file, stamp, book);
    return book;
  }

  #write(upstream: string, book: PinBook, isDurable: boolean): void {
    const file = this.#fileOf(upstream);
    const stamp = writeWhole(file, pinText({ config: this.#options.config, upstream, book }), { isDurable });
    this.#memory.onWritten(file, stamp, book);
    this.#unwritten.delete(upstream);
  }

  upstreams(): readonly string[] {
    return this.#filesOfConfig().sort();
  }

  /**
   * Tells when another process may have changed pins, until the function that it returns is called. Keeps no process alive.
   * @param onChange gets the upstream; `undefined` if it may be any
   */
  watch(onChange: (upstream: string | undefined) => void): () => void {
    try {
      makeFolder(this.#options.folder, 0o700);
      const watcher = watch(this.#options.folder, { persistent: false }, (_event, file) => {
        if (file === null) onChange(undefined);
        else this.#onFileEvent(file, onChange);
      });
      watcher.on('error', (error) => this.#options.onError(error, 'changes of the pins are no longer noticed'));
      return () => watcher.close();
    } catch (error) {
      this.#options.onError(error, 'changes of the pins are not noticed');
      return () => undefined;
    }
  }

  #onFileEvent(name: string, onChange: (upstream: string) => void): void {
    if (!name.endsWith('.json')) return;
    const file = path.join(this.#options.folder, name);
    if (this.#memory.isOwn(file)) return;
    const upstream = this.#upstreamOf(file);
    if (upstream !== undefined) onChange(upstream);
  }

  /** Returns the upstream whose pins a file has; `undefined` if it is none of this config. */
  #upstreamOf(file: string): string | undefined {
    for (const [upstream, known] of this.#files) if (known === file) return upstream;
    const found = this.#peek(file);
    return found?.config === this.#options.config ? found.upstream : undefined;
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
  #peek(file: string): ConfigPins | undefined {
    try {
      return pinsIn(readFileSync(file, 'utf8'));
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
    // Others that use these pins have not been told that there are none any more.
    this.#memory.forget(file);
    return 'damaged';
  }

  #fileOf(upstream: string): string {
    const known = this.#files.get(upstream);
    if (known !== undefined) return known;
    const hash = createHash('sha256').update(`${this.#options.config}\0${upstream}`).digest('hex').slice(0, 16);
    const file = path.join(this.#options.folder, `${upstream}-${hash}.json`);
    this.#files.set(upstream, file);
    return file;
  }
}
