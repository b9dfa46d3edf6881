const MAX_PATH_BYTES = 4_096;
const MAX_NAME_LENGTH = 255;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|\s*$)/i;
/** Matches the short form (8.3) that Windows gives to longer names: it would be another name of something protected by its own. */
const SHORT_NAME = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;
const NOT_IN_WINDOWS_NAMES = /[<>"|?*\p{Cc}]/u;

/** Returns why a text cannot be a path, or `undefined`. */
export function pathFault(text: string): string | undefined {
  if (text === '') return 'the path is empty; "." is the workspace itself';
  if (text.includes('\0')) return 'the path contains a NUL character';
  if (!text.isWellFormed()) return 'the path contains half a character (a lone surrogate)';
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) return `the path is longer than ${MAX_PATH_BYTES} bytes`;
  return undefined;
}

/** Returns the parts of a path; on Windows both slashes part them. Empty ones stay: they mean that a folder is named. */
export function partsOf(text: string, platform: NodeJS.Platform): string[] {
  return text.split(platform === 'win32' ? /[\\/]/ : '/');
}

/** Returns why one part of a path cannot be the name of a file, or `undefined`. `.` and `..` are handled elsewhere. */
export function nameFault(name: string, platform: NodeJS.Platform): string | undefined {
  const length = platform === 'win32' || platform === 'darwin' ? name.length : Buffer.byteLength(name);
  if (length > MAX_NAME_LENGTH) return `the name "${name.slice(0, 20)}…" is longer than ${MAX_NAME_LENGTH} bytes`;
  return platform === 'win32' ? windowsFault(name) : undefined;
}

function windowsFault(name: string): string | undefined {
  if (name.includes(':')) return `"${name}" has a ":" in it: that would be a stream of a file, or a drive`;
  if (/[. ]$/.test(name)) return `"${name}" ends with a dot or a space, which Windows leaves out`;
  if (DEVICE.test(name)) return `"${name}" is the name of a device`;
  if (SHORT_NAME.test(name)) return `"${name}" is the short form of another name: use that one`;
  return NOT_IN_WINDOWS_NAMES.test(name) ? `"${name}" has a character that Windows does not allow` : undefined;
}
