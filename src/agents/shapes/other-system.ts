import { splitCommand } from '../../core/command-line/split-command.ts';
import type { Program } from './program.ts';

/** A program that may be written for another system. */
export interface FittedProgram extends Program {
  /** The reasons why it cannot work on this system. */
  readonly misfits: readonly string[];
}

const DRIVE_PATH = /^(?:[A-Za-z]:[\\/]|\\\\|%[\w()]+%)/;
const WINDOWS_ONLY = /^(?:cmd|powershell)(?:\.exe)?$|\.ps1$/i;

/** Returns whether a text is an absolute path of Windows: it begins with a drive, a share, or a variable such as `%APPDATA%`. */
export function isWindowsPath(text: string): boolean {
  return DRIVE_PATH.test(text);
}

/**
 * Fits a program that is written for Windows to another system: `cmd /c npx …` and `npx.cmd` become `npx`. What cannot be
 * fitted is named in `misfits`, and so are absolute paths of other systems on Windows.
 */
export function fitToSystem(program: Program, cwd: string | undefined, platform: NodeJS.Platform): FittedProgram {
  const fitted = platform === 'win32' ? program : withoutExtension(withoutCmd(program));
  const { command = '' } = fitted;
  if (platform === 'win32') {
    const misfits = [...posixPath('command', command), ...posixPath('cwd', cwd ?? '')];
    return { ...fitted, misfits };
  }
  const places: readonly (readonly [string, string])[] = [
    ['command', command],
    ['cwd', cwd ?? ''],
    ...fitted.args.map((arg, index) => [`args[${index}]`, arg] as const),
    ...Object.entries(fitted.env).map(([name, value]) => [`env.${name}`, value] as const),
  ];
  const paths = places.filter(([, text]) => isWindowsPath(text)).map(([place]) => `${place} is a path of Windows`);
  const isForeign = WINDOWS_ONLY.test(command) && paths[0] !== 'command is a path of Windows';
  return { ...fitted, misfits: [...(isForeign ? ['its command is a program of Windows'] : []), ...paths] };
}

/** `cmd /c` only starts what follows. */
function withoutCmd(program: Program): Program {
  const { command = '', args, remarks } = program;
  const [flag = '', ...rest] = args;
  if (!/^cmd(?:\.exe)?$/i.test(baseName(command)) || !/^\/[ck]$/i.test(flag)) return program;
  const split = rest.length === 1 ? splitCommand(rest[0]!) : { env: {}, words: rest };
  const [next, ...others] = split?.words ?? [];
  if (next === undefined || Object.keys(split!.env).length > 0) return program;
  const remark = `${JSON.stringify(`cmd ${flag}`)} is left out: only Windows has it`;
  return { ...program, command: next, args: others, remarks: [...remarks, remark] };
}

/** Returns the command without `.cmd`, which only Windows needs. A path is not changed. */
function withoutExtension(program: Program): Program {
  const { command = '', remarks } = program;
  const [, name] = /^([\w.-]+?)\.(?:exe|cmd|bat)$/i.exec(command) ?? [];
  if (name === undefined || WINDOWS_ONLY.test(name)) return program;
  const remark = `its command ${JSON.stringify(command)} is called ${JSON.stringify(name)} on this system`;
  return { ...program, command: name, remarks: [...remarks, remark] };
}

function posixPath(place: string, text: string): string[] {
  return /^\/(?!\/)/.test(text) ? [`${place} is a path of another system`] : [];
}

function baseName(command: string): string {
  return command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
}
