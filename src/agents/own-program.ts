import path from 'node:path';

/** Matches our package as it is given to npx. */
const PACKAGE = /^(?:mcp-)?viaduct(?:@[\w.^~-]+)?$/;
/** The program in a folder into which npm has installed it. */
const INSTALLED = /[\\/]node_modules[\\/]mcp-viaduct[\\/]dist[\\/]main\.js$/;
const RUNTIMES: ReadonlySet<string> = new Set(['node', 'nodejs', 'bun', 'deno', 'tsx']);
/** Programs that run a package, with their subcommands that do so. */
const PACKAGE_RUNNERS: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map([
  ['npx', undefined],
  ['bunx', undefined],
  ['pnpx', undefined],
  ['npm', new Set(['exec', 'x'])],
  ['pnpm', new Set(['exec', 'dlx'])],
  ['yarn', new Set(['exec', 'dlx', 'run'])],
  ['bun', new Set(['x'])],
]);
/** Options of these programs that take the next argument as their value. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  (
    '-r --require --import --loader --experimental-loader -C --conditions --env-file ' +
    '-p --package -w --workspace --prefix --registry --cache --userconfig --dir'
  ).split(' '),
);

/** A command as an agent runs it. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Returns the arguments that Viaduct gets if this command starts it: by its name, by its package, or by its file. Returns
 * `undefined` for every other program, regardless of its arguments.
 * @param ownScript the file of the program that runs here
 */
export function argumentsOfViaduct(started: Started, ownScript?: string): readonly string[] | undefined {
  const { command, args } = unwrapped(started);
  const program = programName(command);
  if (program === 'viaduct' || command === ownScript) return args;
  const [first, ...rest] = withoutOptions(args);
  if (first === undefined) return undefined;
  if ((RUNTIMES.has(program) || command === process.execPath) && (first === ownScript || INSTALLED.test(first))) {
    return rest;
  }
  if (!PACKAGE_RUNNERS.has(program)) return undefined;
  const words = PACKAGE_RUNNERS.get(program);
  if (words === undefined) return ofPackage(args);
  return words.has(first) ? ofPackage(rest) : undefined;
}

function ofPackage(args: readonly string[]): readonly string[] | undefined {
  const [name, ...rest] = withoutOptions(args);
  if (name === undefined || !PACKAGE.test(name)) return undefined;
  return rest[0] === '--' ? rest.slice(1) : rest;
}

/** `cmd /c npx …` and `env A=1 npx …` run `npx …`. */
function unwrapped(started: Started): Started {
  const { command, args } = started;
  const name = programName(command);
  if (name === 'cmd' && /^\/[cs]$/i.test(args[0] ?? ''))
    return unwrapped({ command: args[1] ?? '', args: args.slice(2) });
  if (name !== 'env') return started;
  const at = args.findIndex((arg) => !/^\w+=/.test(arg));
  return at === -1 ? started : unwrapped({ command: args[at]!, args: args.slice(at + 1) });
}

/** Returns the name of a program without folders and the ending that Windows gives it. */
function programName(command: string): string {
  return path.win32.basename(command).replace(/\.(?:cmd|exe|ps1)$/i, '');
}

function withoutOptions(args: readonly string[]): readonly string[] {
  let at = 0;
  while (args[at]?.startsWith('-') === true) at += WITH_VALUE.has(args[at]!) ? 2 : 1;
  return args.slice(at);
}

/** Returns whether a command is one that an export writes: it starts Viaduct, or a file with Node.js, with `stdio`. */
export function isWrittenByExport({ command, args }: Started): boolean {
  return (
    isStdio(argumentsOfViaduct({ command, args })) || (isFile(command) && isFile(args[0]) && isStdio(args.slice(1)))
  );
}

/** Returns whether a word names a file. `node` and `main.js` can be in any folder and have other names. */
function isFile(name: string | undefined): boolean {
  return name !== undefined && (path.isAbsolute(name) || path.win32.isAbsolute(name));
}

const OPTIONS: ReadonlySet<string> = new Set(['--config', '--profile']);

function isStdio(args: readonly string[] | undefined): boolean {
  if (args?.[0] !== 'stdio') return false;
  const options = args.slice(1);
  return options.length % 2 === 0 && options.every((option, index) => index % 2 === 1 || OPTIONS.has(option));
}
