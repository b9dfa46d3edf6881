import type { Socket } from 'node:net';

/** A client that does not hang up once it has got everything loses its connection after this. */
const PARTING_MS = 500;
/** Time that it has to read what was written to it. */
const READING_MS = 30_000;

/** Closes a connection whose output was ended: when the client has got everything and hung up, or has taken too long. */
export function letGo(socket: Socket): void {
  const cut = () => void socket.destroy();
  const timers = [setTimeout(cut, READING_MS)];
  const onFinish = () => void timers.push(setTimeout(cut, PARTING_MS).unref());
  timers[0]!.unref();
  if (socket.writableFinished) onFinish();
  else socket.once('finish', onFinish);
  socket.once('close', () => timers.forEach(clearTimeout));
}
