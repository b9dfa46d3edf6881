import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configJsonSchema } from '../../../src/config/json-schema.ts';
import { OPTIONS } from './parse-text.ts';

const schema = configJsonSchema(OPTIONS.workflowOptions);
const compile = (): ValidateFunction => new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);

/** Every key that the schema names, as a path, with its description. */
function described(node: unknown, path = ''): [string, unknown][] {
  const { properties = {}, additionalProperties } = z
    .looseObject({
      properties: z.record(z.string(), z.looseObject({ description: z.unknown().optional() })).optional(),
      additionalProperties: z.unknown().optional(),
    })
    .parse(node);
  const own = Object.entries(properties).flatMap(([key, value]) => [
    [`${path}${key}`, value.description] as [string, unknown],
    ...described(value, `${path}${key}.`),
  ]);
  const open = typeof additionalProperties === 'object' ? described(additionalProperties, `${path}*.`) : [];
  return [...own, ...open];
}

describe('configJsonSchema', () => {
  test('is JSON Schema 2020-12 with a title', () => {
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Viaduct configuration',
      type: 'object',
      required: ['schemaVersion'],
    });
    expect(compile).not.toThrow();
  });

  test('has every key, each with a description; workflows describe theirs themselves', () => {
    const keys = described(schema).filter(([path]) => !path.startsWith('workflows.'));
    expect(keys.filter(([, description]) => typeof description !== 'string' || description === '')).toEqual([]);
    expect(keys.map(([path]) => path)).toEqual([
      'schemaVersion',
      'enabledWorkflows',
      'gateway',
      'server',
      'server.host',
      'server.port',
      'server.tcp',
      'server.allowedHosts',
      'server.allowedOrigins',
      'server.nameInResults',
      'server.tokens',
      'server.oauth',
      'server.oauth.issuer',
      'server.oauth.audience',
      'server.oauth.jwksUrl',
      'server.oauth.scopes',
      'server.oauth.requiredScopes',
      'server.oauth.clockSkewSeconds',
      'server.tls',
      'server.tls.cert',
      'server.tls.key',
      'server.behindProxy',
      'server.sessionless',
      'defaults',
      'defaults.env',
      'defaults.cwd',
      'defaults.inheritEnv',
      'defaults.headers',
      'defaults.share',
      'defaults.restart',
      'defaults.start',
      'defaults.idleStopMs',
      'defaults.stateless',
      'defaults.era',
      'defaults.timeouts',
      'defaults.timeouts.connectMs',
      'defaults.timeouts.listMs',
      'defaults.timeouts.listPauseMs',
      'defaults.timeouts.callMs',
      'defaults.timeouts.totalMs',
      'defaults.maxConcurrency',
      'defaults.tools',
      'defaults.tools.allow',
      'defaults.tools.deny',
      'defaults.validation',
      'defaults.pins',
      'defaults.inferHints',
      'defaults.instructions',
      'upstreams',
      'upstreams.*.command',
      'upstreams.*.args',
      'upstreams.*.env',
      'upstreams.*.cwd',
      'upstreams.*.inheritEnv',
      'upstreams.*.url',
      'upstreams.*.headers',
      'upstreams.*.tls',
      'upstreams.*.tls.ca',
      'upstreams.*.tls.cert',
      'upstreams.*.tls.key',
      'upstreams.*.tls.passphrase',
      'upstreams.*.tls.serverName',
      'upstreams.*.tls.verify',
      'upstreams.*.auth',
      'upstreams.*.ports',
      'upstreams.*.workspace',
      'upstreams.*.prefix',
      'upstreams.*.disabled',
      'upstreams.*.share',
      'upstreams.*.restart',
      'upstreams.*.start',
      'upstreams.*.idleStopMs',
      'upstreams.*.stateless',
      'upstreams.*.era',
      'upstreams.*.timeouts',
      'upstreams.*.timeouts.connectMs',
      'upstreams.*.timeouts.listMs',
      'upstreams.*.timeouts.listPauseMs',
      'upstreams.*.timeouts.callMs',
      'upstreams.*.timeouts.totalMs',
      'upstreams.*.maxConcurrency',
      'upstreams.*.tools',
      'upstreams.*.tools.allow',
      'upstreams.*.tools.deny',
      'upstreams.*.validation',
      'upstreams.*.pins',
      'upstreams.*.inferHints',
      'upstreams.*.instructions',
      'upstreams.*.type',
      'profiles',
      'profiles.*.upstreams',
      'profiles.*.workflows',
      'profiles.*.tools',
      'profiles.*.tools.allow',
      'profiles.*.tools.deny',
      'profiles.*.projects',
      'workflows',
      'database',
      'models',
      'models.backends',
      'models.backends.*.kind',
      'models.backends.*.url',
      'models.backends.*.model',
      'models.backends.*.apiKey',
      'models.backends.*.concurrency',
      'models.backends.*.firstTokenMs',
      'models.backends.*.idleMs',
      'models.backends.*.timeoutMs',
      'models.backends.*.maxTokens',
      'models.default',
      'workspace',
      'workspace.root',
      'workspace.roots',
      'workspace.clientFolders',
      'workspace.unprotected',
      'workspace.undo',
      'workspace.undo.changes',
      'workspace.undo.megabytes',
      'workspace.undo.fileMegabytes',
      'names',
      'names.maxLength',
      'lists',
      'lists.graceMs',
      'limits',
      'limits.frameBytes',
      'limits.bodyBytes',
      'limits.calls',
      'limits.callsPerClient',
      'limits.requestsPerMinute',
      'limits.connectionsPerAddress',
      'limits.startsAtOnce',
      'log',
      'log.level',
      'log.file',
      'audit',
      'audit.enabled',
      'audit.arguments',
      'audit.file',
      'audit.maxMegabytes',
      'audit.files',
      'audit.keepDays',
    ]);
  });

  test.each<[string, unknown]>([
    ['the least', { schemaVersion: 1 }],
    [
      'scalars in args and env',
      { schemaVersion: 1, upstreams: { a: { command: 'x', args: [1, true, 'b'], env: { P: 8080 } } } },
    ],
    ['tls', { schemaVersion: 1, upstreams: { a: { url: 'https://x', tls: { cert: 'a', key: 'b', verify: false } } } }],
    ['a url', { schemaVersion: 1, upstreams: { a: { url: 'http://x/mcp', headers: { A: 'b' } } } }],
    [
      'options of a workflow',
      { schemaVersion: 1, enabledWorkflows: ['xcode-ide'], workflows: { 'xcode-ide': { tabs: 2 } } },
    ],
  ])('accepts %s', (_name, file) => {
    const validate = compile();
    expect([validate(file), validate.errors]).toEqual([true, null]);
  });

  test.each<[string, unknown]>([
    ['no version', {}],
    ['an unknown key', { schemaVersion: 1, foo: 1 }],
    ['an unknown key of an entry', { schemaVersion: 1, upstreams: { a: { command: 'x', foo: 1 } } }],
    ['an entry without a command', { schemaVersion: 1, upstreams: { a: {} } }],
    ['a command and a url', { schemaVersion: 1, upstreams: { a: { command: 'x', url: 'http://x' } } }],
    ['a certificate without a key', { schemaVersion: 1, upstreams: { a: { url: 'https://x', tls: { cert: 'a' } } } }],
    ['a bad name for an upstream', { schemaVersion: 1, upstreams: { 'a b': { command: 'x' } } }],
    ['a bad prefix', { schemaVersion: 1, upstreams: { a: { command: 'x', prefix: 'a b' } } }],
    ['an unknown workflow', { schemaVersion: 1, enabledWorkflows: ['none'] }],
    ['a bad option of a workflow', { schemaVersion: 1, workflows: { 'xcode-ide': { tabs: 0 } } }],
    ['a list in args', { schemaVersion: 1, upstreams: { a: { command: 'x', args: [[]] } } }],
    ['a port out of range', { schemaVersion: 1, server: { port: 65536 } }],
  ])('refuses %s', (_name, file) => {
    expect(compile()(file)).toBe(false);
  });

  test('a schema of a workflow that JSON Schema cannot say is left open', () => {
    expect(configJsonSchema({ odd: z.strictObject({ when: z.date().optional() }) })).toMatchObject({
      properties: { workflows: { properties: { odd: { properties: { when: {} } } } } },
    });
  });
});
