import type { Socket } from 'node:net';
import { asObject } from '../json/as-object.ts';

/** The lines of the handshake are short. */
const MAX_BYTES = 8_192;

/**
 * Reads the next line of a socket as a JSON object and leaves what follows it unread.
 * @returns `undefined` if the socket ends first, does not send a line in time, or sends something else
 */
export function readLine(socket: Socket, limitMs: number): Promise<Readonly<Record<string, unknown>> | undefined> {
  return new Promise((resolve) => {
    let head = Buffer.alloc(0);
    const settle = (line?: Buffer) => {
      clearTimeout(timer);
      socket.off('readable', onReadable).off('close', onGone).off('end', onGone).off('error', onGone);
      resolve(line === undefined ? undefined : objectIn(line));
    };
    const onGone = () => settle();
    const onReadable = () => {
      for (let chunk: Buffer | null = socket.read(); chunk !== null; chunk = socket.read()) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\n');
        if (end === -1 && head.length <= MAX_BYTES) continue;
        const rest = head.subarray(end + 1);
        settle(end === -1 ? undefined : head.subarray(0, end));
        if (end !== -1 && rest.length > 0) socket.unshift(rest);
        return;
      }
    };
    const timer = setTimeout(onGone, limitMs);
    socket.on('readable', onReadable).on('close', onGone).on('end', onGone).on('error', onGone);
  });
}

function objectIn(line: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(line.toString('utf8')));
  } catch {
    return undefined; // somebody who does not speak this protocol
  }
}
