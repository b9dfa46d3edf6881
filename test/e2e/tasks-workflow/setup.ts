import type { ProjectTask } from '../../../src/core/projects/project-task.ts';
import { openTaskStore } from '../../../src/store/tasks/open-task-store.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, writeConfig } from '../../support/gateway.ts';
import type { Place } from '../../support/stores/checkpoint-writers.ts';
import { databases, type Kind } from '../../support/stores/databases.ts';

export const HASH = 'a1b2c3d4e5f6789012345678901234567890abcd';
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
export const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Calls a tool in a folder. Returns its structured result, which its text must say too; or the error, or `{ isError, text }`. */
export type Call = (tool: string, args?: object, folder?: string) => Promise<any>;

export function callerOf(client: RawClient): Call {
  return async (tool, args = {}, folder) => {
    const meta = folder === undefined ? {} : { _meta: { 'viaduct/cwd': folder } };
    const { value } = await client.request('tools/call', { name: tool, arguments: args, ...meta });
    if (value.error !== undefined) return value.error;
    const { isError, content, structuredContent } = value.result;
    if (isError === true) return { isError, text: content[0].text };
    if (JSON.stringify(JSON.parse(content[0].text)) !== JSON.stringify(structuredContent))
      throw new Error('two results');
    return structuredContent;
  };
}

/** Gateways with the workflow on databases of a kind. */
export function taskGateways(kind: Kind) {
  const { newPlace, open } = databases(kind);
  const configOf = ({ url }: Place, more: object = {}) =>
    writeConfig({ enabledWorkflows: ['tasks'], ...(url !== undefined && { database: url }), ...more });
  const envOf = ({ home }: Place) => ({ ...process.env, VIADUCT_HOME: home });
  return {
    newPlace,
    configOf,
    envOf,
    connect: async (place: Place, more: object = {}): Promise<Call> =>
      callerOf(await connectStdio(configOf(place, more), { env: envOf(place) })),
    /** Puts tasks into the database past the tools. */
    add: async (place: Place, tasks: readonly ProjectTask[]) =>
      void (await open(place, openTaskStore).store.add(tasks)),
  };
}
