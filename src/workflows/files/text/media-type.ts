import path from 'node:path';

/** First bytes of files by their media type. */
const BY_START: readonly (readonly [start: string, type: string, at?: number])[] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['57454250', 'image/webp', 8],
  ['57415645', 'audio/wav', 8],
  ['66747970', 'video/mp4', 4],
  ['255044462d', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b08', 'application/gzip'],
  ['fd377a585a00', 'application/x-xz'],
  ['28b52ffd', 'application/zstd'],
  ['0061736d', 'application/wasm'],
  ['7f454c46', 'application/x-elf'],
  ['cffaedfe', 'application/x-mach-binary'],
  ['53514c69746520666f726d6174203300', 'application/vnd.sqlite3'],
  ['774f4632', 'font/woff2'],
  ['4f676753', 'audio/ogg'],
  ['494433', 'audio/mpeg'],
];

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.mp3': 'audio/mpeg',
  '.svg': 'image/svg+xml',
  '.toml': 'application/toml',
  '.ttf': 'font/ttf',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

export function typeOfText(file: string): string {
  return BY_EXTENSION[path.extname(file).toLowerCase()] ?? 'text/plain';
}

export function typeOfBinary(file: string, start: Buffer): string {
  const known = BY_START.find(([hex, , at = 0]) => start.subarray(at, at + hex.length / 2).toString('hex') === hex);
  return known?.[1] ?? BY_EXTENSION[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
}
