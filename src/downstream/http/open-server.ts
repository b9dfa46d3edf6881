import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Certificate } from './certificate.ts';

const LIMITS = { maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 2_000 };
const HANDSHAKE_MS = 10_000;

/** A server with limits on what clients may send and how long they may take; it does not listen yet. */
export function openServer(certificate: Certificate | undefined): Server | TlsServer {
  const server =
    certificate === undefined
      ? createServer(LIMITS)
      : createTlsServer({ ...LIMITS, ...certificate, handshakeTimeout: HANDSHAKE_MS });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxConnections = 500;
  return server;
}
