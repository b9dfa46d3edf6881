import { expect, test, vi } from 'vitest';
import { AccessTokens } from '../../../../../src/downstream/http/auth/access-tokens.ts';
import { Authenticator } from '../../../../../src/downstream/http/auth/authenticator.ts';
import { FailureThrottle } from '../../../../../src/downstream/http/auth/failure-throttle.ts';
import { StaticTokens } from '../../../../../src/downstream/http/auth/static-tokens.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';
import { AUDIENCE, startIssuer } from '../../../../support/auth/token-issuer.ts';

/** An authenticator whose authorization server is down, and a token of that server. */
async function withoutKeys(lines: string[] = []) {
  const issuer = await startIssuer();
  issuer.setDown(true);
  const authenticator = new Authenticator({
    tokens: new StaticTokens([]),
    oauth: new AccessTokens({
      issuer: issuer.url,
      audience: AUDIENCE,
      jwksUrl: undefined,
      scopes: [],
      requiredScopes: [],
      clockSkewSeconds: 0,
    }),
    throttle: new FailureThrottle(),
    log: createLog({ level: 'trace', destination: { write: (line) => lines.push(line) } }),
  });
  const token = await issuer.sign();
  const ask = () => authenticator.authenticate({ authorization: `Bearer ${token}`, address: '192.0.2.1' });
  return { ask, token };
}

test('a client whose token cannot be checked is told when the keys are asked for again', async () => {
  const { ask } = await withoutKeys();
  const failedAt = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(failedAt);
  expect(await ask()).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  clock.mockReturnValue(failedAt + 3_500);
  expect(await ask()).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  clock.mockRestore();
});

test('tokens that cannot be checked do not fill the log, and are in none of its lines', async () => {
  const lines: string[] = [];
  const { ask, token } = await withoutKeys(lines);
  for (let count = 0; count < 30; count++) expect(await ask()).toMatchObject({ status: 503 });
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['oauth-keys']);
  expect(lines[0]).not.toContain(token);
});
