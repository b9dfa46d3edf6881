/** Returns a number of bytes as people read it: `12.3 MiB`. */
export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
