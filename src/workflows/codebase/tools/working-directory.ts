import path from 'node:path';
import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import type { CallContext, ToolDefinition } from '../../define.ts';
import { CHANGES, defineProjectTool } from '../../define-project-tool.ts';
import { mayUse } from '../../project-access.ts';
import { projectAt } from '../project-at.ts';
import type { Toolbox } from './toolbox.ts';

export function setWorkingDirectory(toolbox: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'set_working_directory',
    title: 'Code: choose a folder',
    description:
      'Sets the folder that search_code and code_outline use in this session. Needed only if your client does not send its folder.',
    input: z.strictObject({
      directory: z
        .string()
        .min(1)
        .max(4_096)
        .refine((place) => path.isAbsolute(place), { message: 'must be an absolute path' })
        .describe('Absolute path of a folder in the workspace'),
    }),
    output: z.object({
      session_id: z.string(),
      working_directory: z.string(),
      config_found: z.boolean().describe('True if a file in the folder or above it names the project'),
      config_path: z.string().nullable(),
      project_info: z.object({ name: z.string(), id: z.string().nullable() }).nullable(),
    }),
    annotations: { ...CHANGES, idempotentHint: true },
    audit: 'info',
    run: async ({ directory }, context) => {
      if (!context.client.hasSession) throw new GatewayError('INVALID_PARAMS', NO_SESSION, { effect: 'none' });
      const folder = await toolbox.places.folder(directory, context);
      toolbox.places.choose(context.client.id, folder);
      const { configPath, project } = await projectOf(folder, toolbox, context);
      return {
        session_id: context.client.id,
        working_directory: folder,
        config_found: configPath !== null,
        config_path: configPath,
        project_info: project,
      };
    },
  });
}

const NO_SESSION =
  'invalid arg: directory: this client has no session that a folder could belong to. Say where you work with each call: "viaduct/cwd" in _meta, or the header X-Viaduct-Cwd';

/** Says what the folder is of; no id of a project that the client may not use. */
async function projectOf(folder: string, { identities }: Toolbox, { client }: CallContext) {
  const found = await projectAt(folder, identities, client);
  if (found === undefined) return { configPath: null, project: null };
  const id = mayUse(client, found.projectId) ? found.projectId : null;
  const name = path.basename(found.root ?? folder);
  return { configPath: found.file ?? null, project: { name, id } };
}
