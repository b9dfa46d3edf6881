import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Module from 'node:module';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { KeptCode } from './kept-code.ts';

interface CompiledCodeOptions {
  /** The folder of the files with compiled code. It is made when there is something to keep. */
  readonly folder: string;
  /** The command that runs. Each command has its own files: they hold the functions that it has called. */
  readonly command: string;
}

/** Node.js loads a CommonJS file as the body of such a function. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';

/** Loads the files of the program with the code that V8 compiled from them in an earlier run, if it was kept. */
export class CompiledCode {
  readonly #kept: KeptCode;
  readonly #prefix: string;
  /** The scripts that were compiled in this run, by source file. */
  readonly #fresh = new Map<string, vm.Script>();

  constructor({ folder, command }: CompiledCodeOptions) {
    this.#kept = new KeptCode(folder);
    this.#prefix = `${engineTag()}-${command}`;
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
    try {
      this.#kept.write(this.#freshFiles());
    } catch {
      // The folder cannot be written: each start compiles.
    }
    this.#fresh.clear();
  }

  *#freshFiles() {
    for (const [source, script] of this.#fresh)
      yield { name: this.#nameOf(source), source, code: script.createCachedData() };
  }

  #load(module: Module, file: string): void {
    const cachedData = this.#kept.read(this.#nameOf(file), file);
    const script = new vm.Script(`${HEAD}${readFileSync(file, 'utf8')}\n})`, {
      filename: file,
      // Stack traces have the columns of the file.
      columnOffset: -HEAD.length,
      cachedData,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected === true) this.#fresh.set(file, script);
    const require = (name: string): unknown => module.require(name);
    script.runInThisContext()(module.exports, require, module, file, path.dirname(file));
  }

  /** The names of built files contain a hash of their content. */
  #nameOf(file: string): string {
    return `${this.#prefix}-${path.basename(file, '.js')}`;
  }
}

/** V8 refuses the code of another version of it, or of one with other flags: each has files of its own. */
function engineTag(): string {
  const facts = [process.version, process.versions.v8, process.arch, process.execArgv, process.env.NODE_OPTIONS];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}
