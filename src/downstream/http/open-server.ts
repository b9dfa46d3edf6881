import { createServer, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Certificate } from './certificate.ts';

const LIMITS = { maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 2_000 };
const HANDSHAKE_MS = 10_000;
/** Of all clients together. */
export const MAX_CONNECTIONS = 500;

/** A server with limits on what clients may send and how long they may take; it does not listen yet. */
export async function openServer(certificate: Certificate | undefined): Promise<Server | TlsServer> {
  const server = certificate === undefined ? createServer(LIMITS) : await secureServer(certificate);
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function secureServer(certificate: Certificate): Promise<TlsServer> {
  // Only those who use TLS wait for it.
  const https = await import('node:https');
  return https.createServer({ ...LIMITS, ...certificate, handshakeTimeout: HANDSHAKE_MS });
}
