import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { configPage } from '../../../scripts/docs/config-page.ts';
import { configJsonSchema } from '../../../src/config/json-schema.ts';
import type { ParseOptions } from '../../../src/config/load.ts';
import { GatewayError } from '../../../src/core/errors.ts';
import { configKey } from '../../../src/core/settings/config-key.ts';
import { Gateway } from '../../../src/gateway/gateway.ts';
import { loadOptions } from '../../../src/gateway/settings/load-settings.ts';
import { ConfigNotices } from '../../../src/gateway/trust/notices.ts';
import { POLICIES } from '../../../src/policy/index.ts';
import { definePolicy, type RoutedCall } from '../../../src/policy/policy.ts';
import { PolicySet, policyOptions } from '../../../src/policy/policy-set.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { madeRequest } from '../../../src/wire/message.ts';
import { type Reply, resultReply } from '../../../src/wire/reply.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { issuesOf, parse } from '../config/parse-text.ts';

/** A policy that the product does not have. This is all that is written to add it. */
const curfew = definePolicy({
  name: 'curfew',
  options: z.strictObject({
    isOn: configKey(z.boolean().default(false), { meaning: 'Refuse every call of a tool.' }),
    reason: configKey(z.string().min(1).default('it is late'), {
      meaning: 'What clients are told.',
      takesVariables: true,
      secret: 'text',
    }),
  }),
  load: async () => (options) => ({
    admit: () => (options().isOn ? new GatewayError('INVALID_ARGUMENTS', options().reason) : undefined),
    inspect() {
      const { reason } = options();
      return () => resultReply({ reason });
    },
  }),
});

const policies = [...POLICIES, curfew];
const shapes: Partial<ParseOptions> = { ...loadOptions({}), policyOptions: policyOptions(policies) };
const configOf = (section: object) =>
  parse(JSON.stringify({ schemaVersion: 1, enabledWorkflows: ['gateway'], policies: { curfew: section } }), shapes);

test('the config takes its options, and fills in their defaults', () => {
  expect(parse('schemaVersion: 1', shapes).policies).toEqual({ curfew: { isOn: false, reason: 'it is late' } });
  expect(configOf({ isOn: true }).policies).toEqual({ curfew: { isOn: true, reason: 'it is late' } });
});

test('facts of its keys count as those of other keys do', () => {
  const text = "{ schemaVersion: 1, policies: { curfew: { reason: '${WHY}' } } }";
  const { policies: options, secrets } = parse(text, { ...shapes, env: { WHY: 'top-secret' } });
  expect(options).toMatchObject({ curfew: { reason: 'top-secret' } });
  expect(secrets).toContain('top-secret');
});

test('config check says what is wrong with them, and where', () => {
  const text = 'schemaVersion: 1\npolicies:\n  curfew:\n    isOn: yes\n    resaon: x\n  curfw: {}\n';
  expect(issuesOf(text, shapes).sort()).toEqual([
    '4:11 policies.curfew.isOn: must be true or false, not text -> write true or false, without quotes',
    '5:5 policies.curfew.resaon: unknown key -> did you mean "reason"?',
    '6:3 policies.curfw: unknown key -> did you mean "curfew"?',
  ]);
});

test('where no policy has options, the config has no section for them', () => {
  expect(policyOptions(POLICIES)).toEqual({});
  expect(issuesOf('schemaVersion: 1\npolicies: {}')).toEqual([expect.stringContaining('2:1 policies: unknown key')]);
  expect(parse('schemaVersion: 1').policies).toEqual({});
});

test('the JSON Schema has them', () => {
  expect(configJsonSchema({}, shapes).properties?.policies).toMatchObject({
    properties: { curfew: { properties: { isOn: { type: 'boolean', description: 'Refuse every call of a tool.' } } } },
  });
  expect(configJsonSchema({}).properties).not.toHaveProperty('policies');
});

test('the documentation has rows for them', () => {
  const page = readFileSync(new URL('../../../docs/CONFIG.md', import.meta.url), 'utf8');
  expect(configPage(page)).toBe(page);
  expect(configPage(page, undefined, policies)).toMatch(
    /\| `policies\.curfew\.isOn` +\| `true`, `false` +\| `false` +\| Refuse every call of a tool\./,
  );
});

test('a reload of the config changes what a running gateway does with calls', async () => {
  const log = createLog({ level: 'silent' });
  const options = { configPath: '/nowhere/viaduct.yaml', notices: new ConfigNotices([]), env: process.env, policies };
  const gateway = await Gateway.load({
    ...options,
    config: configOf({ isOn: true, reason: 'before' }),
    home: temporaryFolder(),
    log,
    masker: new Masker(),
  });
  onTestFinished(() => gateway.stop('the test is over'));
  gateway.start();
  const call = callerOf(gateway);
  expect(await call()).toContain('before');
  await gateway.reload(configOf({ isOn: true, reason: 'after' }));
  expect(await call()).toContain('after');
  await gateway.reload(configOf({ reason: 'let through' }));
  expect(await call()).toContain('"result":{"reason":"let through"}');
});

test('a call that has begun keeps the options that it began with', async () => {
  const set = await PolicySet.load({ curfew: { isOn: false, reason: 'first' } }, [curfew]);
  const [policy] = set.policies;
  const shown = (inspect: ((reply: Reply) => Reply) | undefined) =>
    toBuffer(inspect!(resultReply({})).withId('1')).toString();
  const begun = policy!.inspect!({} as RoutedCall);
  set.configure({ curfew: { isOn: true, reason: 'second' } });
  expect(shown(begun)).toContain('first');
  expect(shown(policy!.inspect!({} as RoutedCall))).toContain('second');
  expect(policy!.admit!({} as RoutedCall)).toMatchObject({ message: 'second' });
});

test('options that the config does not have any more are gone', async () => {
  const shown: unknown[] = [];
  const looking = {
    ...curfew,
    load: async () => (options: () => unknown) => ({ admit: () => void shown.push(options()) }),
  };
  const set = await PolicySet.load({ curfew: { isOn: true } }, [looking]);
  set.policies[0]!.admit!({} as RoutedCall);
  set.configure({});
  set.policies[0]!.admit!({} as RoutedCall);
  expect(shown).toEqual([{ isOn: true }, undefined]);
});

/** Returns how one client calls a tool of the gateway; resolves to the answer as JSON. */
function callerOf(gateway: Gateway): () => Promise<string> {
  const session = gateway.clients.openSession({
    id: 's',
    transport: 'test',
    profile: undefined,
    folderRule: undefined,
    output: () => undefined,
  });
  return () =>
    new Promise((resolve) => {
      const exchange = { send: () => undefined, sendIfRoom: () => undefined, abandon: () => undefined };
      const reply = (bytes: Parameters<typeof toBuffer>[0]) => resolve(toBuffer(bytes).toString());
      session.onMessage(madeRequest('tools/call', '{"name":"viaduct_status","arguments":{}}'), { ...exchange, reply });
    });
}
