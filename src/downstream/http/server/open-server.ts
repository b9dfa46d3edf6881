import { createServer, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Certificate } from './certificate.ts';

export const MAX_HEADER_BYTES = 16 * 1024;
const LIMITS = { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 2_000 };
export const HANDSHAKE_MS = 10_000;
/** The time in which headers, and a whole request, must arrive, in milliseconds. */
export const HEADERS_MS = 10_000;
export const REQUEST_MS = 30_000;
/**
 * The idle time of a connection that clients are told about, in seconds; it actually stays open for twice as long. A
 * connection that both sides close at the same time loses the request that the client sends just then, and the clock of
 * a busy client runs late.
 */
const ANNOUNCED_IDLE_SECONDS = 60;
export const KEEP_ALIVE_HEADER = `timeout=${ANNOUNCED_IDLE_SECONDS}`;
/** The number of connections of all clients together. */
export const MAX_CONNECTIONS = 500;

/** Returns a server with limits on what clients may send and how long they may take; it does not listen yet. */
export async function openServer(certificate: Certificate | undefined): Promise<Server | TlsServer> {
  const server = certificate === undefined ? createServer(LIMITS) : await secureServer(certificate);
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = 2 * ANNOUNCED_IDLE_SECONDS * 1_000;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function secureServer(certificate: Certificate): Promise<TlsServer> {
  // Only those who use TLS wait for it.
  const https = await import('node:https');
  return https.createServer({ ...LIMITS, ...certificate, handshakeTimeout: HANDSHAKE_MS });
}
