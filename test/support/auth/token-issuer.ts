import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type AtEnd, atEnd } from '../shared.ts';

export interface TokenIssuer {
  readonly url: string;
  /** How often the keys were read. */
  readonly keyReads: () => number;
  /** While it is down every answer is a 500. */
  setDown(isDown: boolean): void;
  /** A token as this issuer signs it; `claims` add to the usual ones and replace them. */
  sign(claims?: JWTPayload, options?: SignOptions): Promise<string>;
}

interface SignOptions {
  readonly algorithm?: 'ES256' | 'RS256' | 'EdDSA';
  /** Signed with an unpublished key, under the name of a published one. */
  readonly isForged?: boolean;
  readonly kid?: string;
  /** The `typ` in the header; none where it is absent. */
  readonly typ?: unknown;
}

export const AUDIENCE = 'https://mcp.example.com/mcp';

/**
 * The part of an authorization server that a resource server sees: metadata and keys, over real HTTP. With another status
 * than 200 for its OAuth metadata it has that of OpenID only.
 */
export async function startIssuer(whenDone: AtEnd = atEnd, oauthStatus = 200): Promise<TokenIssuer> {
  const pairs = new Map(
    await Promise.all(
      (['ES256', 'RS256', 'EdDSA'] as const).map(async (alg) => [alg, await generateKeyPair(alg)] as const),
    ),
  );
  const forger = await generateKeyPair('ES256');
  const keys = await Promise.all(
    [...pairs].map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), alg, kid: alg, use: 'sig' })),
  );
  let keyReads = 0;
  let isDown = false;
  const server = createServer((request, response) => {
    if (isDown) {
      response.writeHead(500).end();
      return;
    }
    if (request.url === '/keys') keyReads++;
    const metadata = { issuer: url, jwks_uri: `${url}/keys` };
    const oauthPath = '/.well-known/oauth-authorization-server';
    const answers: Record<string, unknown> =
      oauthStatus === 200
        ? { '/keys': { keys }, [oauthPath]: metadata }
        : { '/keys': { keys }, '/.well-known/openid-configuration': metadata };
    const answer = answers[request.url ?? ''];
    if (answer === undefined) {
      const status = request.url === oauthPath ? oauthStatus : 404;
      response.writeHead(status, status === 302 ? { location: '/login' } : {}).end();
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenDone(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    keyReads: () => keyReads,
    setDown(down) {
      isDown = down;
    },
    sign(claims = {}, { algorithm = 'ES256', isForged = false, kid = algorithm, typ } = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: url, aud: AUDIENCE, sub: 'alice', client_id: 'agent', iat: now, exp: now + 300 };
      const { privateKey } = isForged ? forger : pairs.get(algorithm)!;
      const header = { alg: algorithm, kid, ...(typ !== undefined && { typ: typ as string }) };
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader(header).sign(privateKey);
    },
  };
}
