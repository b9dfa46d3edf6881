import { z } from 'zod';
import { configKey } from '../../core/settings/config-key.ts';
import { wholeNumber } from '../field-schemas.ts';

/** The gateway that a client of `viaduct stdio` gets: one that it shares with others of its user, or one of its own. */
export const GATEWAY_MODES = ['shared', 'private'] as const;

export type GatewayMode = (typeof GATEWAY_MODES)[number];

/** The key `gateway` with every default filled in. */
export interface GatewayConfig {
  readonly mode: GatewayMode;
  /** Time after its last client at which a shared gateway ends that has nothing to do, in milliseconds. */
  readonly idleExitMs: number;
  /** The same for one that still has something to do. */
  readonly maxLingerMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULTS: GatewayConfig = { mode: 'shared', idleExitMs: 300_000, maxLingerMs: DAY_MS };

const modeSchema = z.enum(GATEWAY_MODES);

const optionsSchema = z.strictObject({
  mode: configKey(modeSchema.default(DEFAULTS.mode), {
    meaning: 'Whether clients of `viaduct stdio` share one gateway.',
    more: 'The same as the text alone.',
  }),
  idleExitMs: configKey(wholeNumber(0, DAY_MS).default(DEFAULTS.idleExitMs), {
    meaning: 'Milliseconds after its last client at which a shared gateway ends, unless work keeps it alive.',
  }),
  maxLingerMs: configKey(wholeNumber(0, 7 * DAY_MS).default(DEFAULTS.maxLingerMs), {
    meaning: 'Milliseconds after its last client at which a shared gateway ends even if work keeps it alive.',
  }),
});

/** The key `gateway`. */
export const gatewaySchema = configKey(
  z
    .union([modeSchema, optionsSchema], {
      error: 'must be shared, private, or a mapping with mode, idleExitMs and maxLingerMs',
    })
    .default(DEFAULTS.mode),
  {
    meaning:
      'The gateway that `viaduct stdio` uses while no `viaduct serve` runs: `shared` starts one for all clients of this config, `private` starts one for each client.',
    value: '`shared`, `private`, or a mapping with the keys below',
  },
);

/** Fills in what the key `gateway` leaves out. */
export function toGateway(written: z.output<typeof gatewaySchema>): GatewayConfig {
  return typeof written === 'string' ? { ...DEFAULTS, mode: written } : written;
}
