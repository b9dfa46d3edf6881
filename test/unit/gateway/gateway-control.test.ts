import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/core/errors.ts';
import { GatewayControl } from '../../../src/gateway/gateway-control.ts';

function control() {
  const logged: unknown[] = [];
  const upstream = (id: string, sync: () => Promise<unknown>) => ({ id, sync });
  const upstreams = [
    upstream('good', async () => ({ tools: 1 })),
    upstream('bad', async () => {
      throw new GatewayError('UPSTREAM_TIMEOUT', 'it is down');
    }),
  ];
  const made = new GatewayControl({
    reports: {
      status: () => ({ version: '1' }),
      explain: async (tool: string) => ({ tool }),
      tools: async (view: unknown) => [view],
    } as never,
    pins: {
      list: (query: unknown) => [query],
      accept: (upstream: string, tools: readonly string[], shown: readonly string[]) => [upstream, ...tools, ...shown],
    } as never,
    providers: { upstreams: () => upstreams as never },
    log: { info: (facts: unknown) => logged.push(facts) } as never,
  });
  const call = (name: string, params: unknown, session = {}) => made.methods.get(name)!(params, session as never);
  return { made, call, logged };
}

test('one upstream is read, or all; one that fails does not hide the others', async () => {
  const { made } = control();
  expect(await made.sync()).toEqual({ good: { tools: 1 }, bad: { error: 'it is down' } });
  expect(await made.sync('good')).toEqual({ good: { tools: 1 } });
  await expect(made.sync('goud')).rejects.toThrow('There is no upstream "goud". Did you mean "good"');
});

test('each method of the command line leads to its part', async () => {
  const { call, logged } = control();
  expect(await call('viaduct/status', {})).toEqual({ version: '1' });
  expect(await call('viaduct/why', { tool: 't' })).toEqual({ tool: 't' });
  expect(await call('viaduct/sync', { upstream: 'good' })).toEqual({ good: { tools: 1 } });
  expect(await call('viaduct/pins', { upstream: 'u' })).toEqual({ pins: [{ upstream: 'u' }] });
  expect(await call('viaduct/tools', {}, { host: { catalogue: 'view' } })).toEqual({ tools: ['view'] });
  expect(await call('viaduct/pins/accept', { upstream: 'u', tools: ['t'], shown: ['s'] })).toEqual({
    accepted: ['u', 't', 's'],
  });
  expect(logged).toEqual([{ event: 'pin-accepted', upstream: 'u', tools: ['u', 't', 's'] }]);
});

test('a connection that is bound to a profile has the method for tools only', () => {
  expect([...control().made.profileMethods.keys()]).toEqual(['viaduct/tools']);
});
