import type { IncomingMessage, ServerResponse } from 'node:http';
import { toBuffer } from '../../wire/bytes.ts';
import { type ErrorBody, errorReply } from '../../wire/reply.ts';

/** Turns a request away with a status and a JSON-RPC error without id. What is left of its body is not read. */
export function reject(request: IncomingMessage, response: ServerResponse, status: number, error: ErrorBody): void {
  const body = toBuffer(errorReply(error).withId('null'));
  const unread = !request.complete && request.method === 'POST';
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(unread && { connection: 'close' }),
  });
  response.end(body);
  if (unread) request.resume();
}

export const MISSING_SESSION: ErrorBody = {
  code: -32600,
  message:
    'Bad Request: the Mcp-Session-Id header is missing; send "initialize" first and repeat the id it answers with',
};

export const UNKNOWN_SESSION: ErrorBody = {
  code: -32600,
  message: 'Not Found: this session does not exist any more; send "initialize" to begin a new one',
};
