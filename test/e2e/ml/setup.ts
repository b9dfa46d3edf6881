import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type ModelKind, type ModelOptions, startModels } from '../../../fixtures/services/models.ts';
import { connectStdio, freshHome, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { standIn } from '../../support/knowledge/services.ts';

/** The key that stand-ins want; it must never be seen anywhere. */
export const KEY = 'sk-hidden-0123456789abcdef';

export interface MlPlace {
  readonly folder: string;
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  readonly client: Awaited<ReturnType<typeof connectStdio>>;
  /** Calls a tool that must do its work. Returns its structured result, which is its text as well. */
  readonly call: (tool: string, args?: object) => Promise<any>;
  /** Calls a tool that must fail. Returns its message. */
  readonly refusal: (tool: string, args?: object) => Promise<string>;
  /** The lines of the audit, once there are any. */
  readonly audit: () => Promise<string>;
  /** The log of the gateway. */
  readonly log: () => string;
}

interface MlOptions {
  /** The section `models`. */
  readonly models?: object;
  /** The section `workflows.ml`. */
  readonly ml?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: object;
}

/** A client of a gateway with the workflow `ml`. */
export async function mlPlace({
  models,
  ml = {},
  env: more = {},
  capabilities = {},
}: MlOptions = {}): Promise<MlPlace> {
  const folder = temporaryFolder();
  const file = path.join(folder, 'viaduct.log');
  const config = writeConfig(
    {
      enabledWorkflows: ['ml'],
      workflows: { ml },
      log: { level: 'trace', file },
      audit: { arguments: 'redacted' },
      ...(models !== undefined && { models }),
    },
    folder,
  );
  const env = freshHome({ MODEL_KEY: KEY, ...more });
  const client = await connectStdio(config, { env, capabilities });
  const raw = async (name: string, args: object) =>
    (await client.request('tools/call', { name, arguments: args })).value;
  return {
    folder,
    config,
    env,
    client,
    async call(tool, args = {}) {
      const { result, error } = await raw(tool, args);
      if (result === undefined || result.isError === true) throw new Error(error?.message ?? result.content[0].text);
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
      return result.structuredContent;
    },
    async refusal(tool, args = {}) {
      const { result } = await raw(tool, args);
      expect(result.isError).toBe(true);
      return result.content[0].text;
    },
    async audit() {
      const file = path.join(env.VIADUCT_HOME!, 'audit', 'audit.jsonl');
      await expect.poll(() => existsSync(file) && statSync(file).size > 0, { timeout: 10_000 }).toBe(true);
      return readFileSync(file, 'utf8');
    },
    log: () => readFileSync(file, 'utf8'),
  };
}

/** A stand-in that wants the key, and its entry in the config. */
export async function backend(kind: ModelKind, more: Partial<ModelOptions> = {}, options: object = {}) {
  const service = await standIn(startModels({ kind, key: KEY, ...more }));
  const entry = { kind, url: service.url, model: service.model, apiKey: '${MODEL_KEY}', ...options };
  return { service, entry };
}
