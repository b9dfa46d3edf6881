import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AuthorizationServer } from '../auth/authorization-server.ts';
import { type GuardedServer, serveSdkV2 } from '../sdk-servers.ts';
import { sendJson } from './http-server.ts';

export interface ProtectedServer extends GuardedServer {
  /** From now on no access token that was given out before is taken. */
  expireAll(): void;
  /** Calls of the tool `write` that ran. */
  readonly written: string[];
  readonly refusals: () => number;
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

function build(written: string[]): McpServer {
  const server = new McpServer({ name: 'protected', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, (args) => text(args.text));
  server.registerTool('write', { inputSchema: z.object({ text: z.string() }) }, (args) => {
    written.push(args.text);
    return text(`wrote ${args.text}`);
  });
  return server;
}

/** An MCP server (version 2 of the SDK) that asks for tokens of an authorization server: `read`, and `write` for the tool of that name. */
export async function startProtectedServer(authorization: AuthorizationServer): Promise<ProtectedServer> {
  const seen = new Set<string>();
  const expired = new Set<string>();
  const written: string[] = [];
  let refusals = 0;
  const server = await serveSdkV2(
    () => build(written),
    async (request, response) => {
      const origin = `http://${request.headers.host}`;
      if (request.path === '/.well-known/oauth-protected-resource/mcp') {
        const resource = `${origin}/mcp`;
        sendJson(response, { resource, authorization_servers: [authorization.issuer], scopes_supported: ['read'] });
        return true;
      }
      const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
      const { AccessToken, ClientCredentials } = authorization.provider;
      const found =
        token === undefined ? undefined : ((await AccessToken.find(token)) ?? (await ClientCredentials.find(token)));
      const isFor = found?.aud === `${origin}/mcp`;
      if (token === undefined || !isFor || expired.has(token)) {
        refusals++;
        const error = token === undefined ? '' : 'error="invalid_token", ';
        response.writeHead(401, { 'www-authenticate': `Bearer ${error}scope="read", ${metadata}` }).end();
        return true;
      }
      seen.add(token);
      const isWrite = request.message?.params?.name === 'write';
      if (!isWrite || found!.scope?.split(' ').includes('write')) return false;
      response
        .writeHead(403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="write", ${metadata}` })
        .end();
      return true;
    },
  );
  const expireAll = () => {
    for (const token of seen) expired.add(token);
  };
  return { ...server, expireAll, written, refusals: () => refusals };
}
