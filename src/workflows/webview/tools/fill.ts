import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { fill } from '../../../browser/actions/fill.ts';
import { browserFailed } from '../../../browser/failure.ts';
import type { Place } from '../../../workspace/place.ts';
import { sandboxOf } from '../../../workspace/sandbox.ts';
import { type CallContext, defineTool, type ToolDefinition } from '../../define.ts';
import { ACTS, actOnPage, events, success, type Toolbox, target } from './toolbox.ts';

const MAX_FIELDS = 100;
const MAX_TEXT = 100_000;

export function fillTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'webview_fill',
    title: 'Browser: fill in a form',
    description:
      'Fills in one or several fields, replacing what is in them. Text for text fields; the label or value of an option for lists; true or false for boxes; the path of a file in the workspace for file fields.',
    input: z.strictObject({
      fields: z
        .array(z.strictObject({ selector: target, value: z.union([z.string().max(MAX_TEXT), z.boolean()]) }))
        .min(1)
        .max(MAX_FIELDS),
    }),
    output: success.extend({ events }),
    annotations: ACTS,
    audit: 'security',
    hasSecretArguments: true,
    run: ({ fields }, context) =>
      actOnPage(toolbox, context, async (page, signal) => {
        const wanted = fields.map(({ selector, value }) => ({ target: selector, value }));
        await fill(page, wanted, { signal, fileAt: (path) => fileAt(path, context) });
        return { success: true };
      }),
  });

  async function fileAt(path: string, context: CallContext): Promise<string> {
    const sandbox = await sandboxOf(context, toolbox.workspace, toolbox.guard());
    return sandbox.at(path, { follow: true, intent: 'read' }, (place) => realFile(place, path));
  }
}

/** @throws GatewayError if there is no file */
async function realFile(place: Place, path: string): Promise<string> {
  const file = await place.realPath();
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === true) return file;
  throw browserFailed(`${JSON.stringify(path)} is not a file in the workspace`);
}
