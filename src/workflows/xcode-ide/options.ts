import { z } from 'zod';
import { bridgeOptions } from '../bridge-options.ts';

/** The prefix of Xcode's tools. */
export const PREFIX = 'xcode_tools';

/** Options of the workflow in the config, `workflows.xcode-ide`. */
export const xcodeOptions = z
  .strictObject({
    ...bridgeOptions({
      inferHints: 'Fill in readOnlyHint and destructiveHint where Xcode gives none, judged by the tool names',
      validation: "How to treat arguments that do not match a tool's schema",
      callMs: 300_000,
      patience: 'builds and tests take their time',
    }),
  })
  .prefault({});

export type XcodeOptions = z.output<typeof xcodeOptions>;
