import { z } from 'zod';

/** The differences between the options of two IDE workflows. */
interface OptionWords {
  readonly inferHints: string;
  readonly validation: string;
  /** The longest time for a call, in milliseconds; `patience` says why it is so long. */
  readonly callMs: number;
  readonly patience: string;
}

/** The options that the workflows of all IDEs have. */
export const bridgeOptions = ({ inferHints, validation, callMs, patience }: OptionWords) => ({
  inferHints: z.boolean().default(true).describe(inferHints),
  validation: z.enum(['off', 'warn', 'enforce']).default('enforce').describe(validation),
  pins: z
    .enum(['off', 'warn', 'enforce'])
    .default('warn')
    .describe('How to treat tools that are new or have changed since they were approved'),
  callMs: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(callMs)
    .describe(`Longest silence of a call, in milliseconds; ${patience}`),
});
