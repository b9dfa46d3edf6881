import type { Config } from '../config/schema.ts';

/** Returns the keys of entries that are switched off, with or without a fault. */
export function disabledKeys({ disabled, broken }: Pick<Config, 'disabled' | 'broken'>): string[] {
  return [...disabled, ...broken.filter(({ isDisabled }) => isDisabled)].map(({ key }) => key);
}
