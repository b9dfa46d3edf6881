import type { Socket } from 'node:net';
import { readLine } from './first-line.ts';
import { isProof, isToken, newToken, proofOf } from './proofs.ts';

/** Facts that a client tells the gateway about itself before the first message. */
export interface Introduction {
  /** The socket of the client's SSH agent. */
  readonly sshAuthSock?: string | undefined;
}

/** The time for the other end's line, in milliseconds. A gateway that reads large lists may be busy for seconds. */
const ANSWER_MS = 15_000;
const INTRODUCTION_MS = 10_000;

/**
 * Does the client's part of the handshake: both ends prove that they know the secret of the gateway's record.
 * @returns false if the other end is not that gateway, or takes no more clients. The socket is of no use then.
 */
export async function introduceTo(
  socket: Socket,
  secret: string,
  introduction: Introduction,
  limitMs = ANSWER_MS,
): Promise<boolean> {
  const client = newToken();
  send(socket, { nonce: client });
  const { nonce: gateway, proof } = (await readLine(socket, limitMs)) ?? {};
  if (!isToken(gateway)) return false;
  const nonces = { client, gateway };
  if (!isProof(proof, proofOf(secret, 'gateway', nonces))) return false;
  send(socket, { proof: proofOf(secret, 'client', nonces), ...introduction });
  return true;
}

/**
 * Does the gateway's part of the handshake.
 * @returns what the client says of itself; `undefined` if it does not know the secret
 */
export async function admit(
  socket: Socket,
  secret: string,
  limitMs = INTRODUCTION_MS,
): Promise<Introduction | undefined> {
  const { nonce: client } = (await readLine(socket, limitMs)) ?? {};
  if (!isToken(client)) return undefined;
  const nonces = { client, gateway: newToken() };
  send(socket, { nonce: nonces.gateway, proof: proofOf(secret, 'gateway', nonces) });
  const { proof, sshAuthSock } = (await readLine(socket, limitMs)) ?? {};
  if (!isProof(proof, proofOf(secret, 'client', nonces))) return undefined;
  return typeof sshAuthSock === 'string' ? { sshAuthSock } : {};
}

function send(socket: Socket, line: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(line)}\n`);
}
