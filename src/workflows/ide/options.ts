import { z } from 'zod';
import { bridgeOptions } from './bridge/options.ts';
import { buildCommands, keepBuilds } from './builds/options.ts';
import { chatShape, checkChat } from './chat/options.ts';

/** Options of the workflow in the config, `workflows.ide`. */
export const ideOptions = z
  .strictObject({ ...bridgeOptions, ...chatShape, builds: buildCommands, keepBuilds })
  .superRefine(({ url, token }, context) => {
    if (token === undefined || url !== undefined) return;
    const message = 'is only used with url: the address of the IDE backend';
    context.addIssue({ code: 'custom', path: ['token'], message });
  })
  .superRefine(checkChat)
  .prefault({});

export type IdeOptions = z.output<typeof ideOptions>;
