import { z } from 'zod';
import { bridgeOptions } from './bridge/options.ts';

/** Options of the workflow in the config, `workflows.ide`. */
export const ideOptions = z
  .strictObject({ ...bridgeOptions })
  .superRefine(({ url, token }, context) => {
    if (token === undefined || url !== undefined) return;
    const message = 'is only used with url: the address of the IDE backend';
    context.addIssue({ code: 'custom', path: ['token'], message });
  })
  .prefault({});

export type IdeOptions = z.output<typeof ideOptions>;
