import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns how many bytes of buffers are in use, once the garbage is gone. */
export function bufferBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}
