import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type Module from 'node:module';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { whyNotPrivate } from '../core/files/private-folder.ts';
import { makeFolder } from '../core/folders/make-folder.ts';

interface CompiledCodeOptions {
  /** The folder of the files with compiled code. It is made when there is something to keep. */
  readonly folder: string;
  /** The command that runs. Each command has its own files: they hold the functions that it has called. */
  readonly command: string;
}

const DIGEST_BYTES = 32;
/** Files of other versions of the program are left behind. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Loads the files of the program with the code that V8 compiled from them in an earlier run, if it was kept. Node.js does so
 * itself from version 22.1 on.
 */
export class CompiledCode {
  readonly #options: CompiledCodeOptions;
  readonly #isTrusted: boolean;
  readonly #engine = engineTag();
  /** What was compiled in this run, by the files that will keep it. */
  readonly #fresh = new Map<string, vm.Script>();

  constructor(options: CompiledCodeOptions) {
    this.#options = options;
    this.#isTrusted = isOwnFolder(options.folder);
  }

  /** From now on, files that `require` loads from this folder are loaded by this object. */
  install(codeFolder: string): void {
    const { extensions } = createRequire(path.join(codeFolder, 'index.js'));
    const load = extensions['.js'];
    extensions['.js'] = (module: Module, file: string) => {
      if (path.dirname(file) === codeFolder) this.#load(module, file);
      else load(module, file);
    };
  }

  /** Keeps what was compiled in this run and is not kept yet. It only makes later starts faster, so it may fail. */
  keep(): void {
    if (this.#fresh.size === 0) return;
    const { folder } = this.#options;
    try {
      makeFolder(folder, 0o700);
      if (!isOwnFolder(folder)) return;
      for (const [file, script] of this.#fresh) write(file, script.createCachedData());
      removeOld(folder);
    } catch {
      // The folder cannot be written: each start compiles.
    }
    this.#fresh.clear();
  }

  #load(module: Module, file: string): void {
    const kept = this.#keptFileOf(file);
    const cachedData = this.#isTrusted ? read(kept) : undefined;
    const source = readFileSync(file, 'utf8');
    const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`, {
      filename: file,
      cachedData,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected === true) this.#fresh.set(kept, script);
    const require = (name: string): unknown => module.require(name);
    script.runInThisContext()(module.exports, require, module, file, path.dirname(file));
  }

  /** The names of built files contain a hash of their content. */
  #keptFileOf(file: string): string {
    const { folder, command } = this.#options;
    return path.join(folder, `${this.#engine}-${command}-${path.basename(file, '.js')}`);
  }
}

/** V8 refuses the code of another version of it, or of one with other flags: each has files of its own. */
function engineTag(): string {
  const facts = [process.versions.v8, process.arch, process.execArgv, process.env.NODE_OPTIONS];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}

/** Compiled code is run as it is: nobody else may have put it there. */
function isOwnFolder(folder: string): boolean {
  try {
    return whyNotPrivate(folder) === undefined;
  } catch {
    return false; // not made yet
  }
}

/** Returns the code in a file; `undefined` if there is none, or it is damaged, which V8 does not check. */
function read(file: string): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const code = content.subarray(DIGEST_BYTES);
    return digestOf(code).equals(content.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined; // not kept yet
  }
}

/** @throws the system's error when it cannot be written; nothing of it is left then */
function write(file: string, code: Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, Buffer.concat([digestOf(code), code]), { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const digestOf = (code: Buffer): Buffer => createHash('sha256').update(code).digest();

function removeOld(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (now - lstatSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true, recursive: true });
  }
}
