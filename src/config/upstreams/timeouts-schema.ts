import { z } from 'zod';
import { configKey } from '../../core/settings/config-key.ts';
import { DEFAULT_TIMEOUTS } from '../../core/settings/upstream-entry.ts';
import { wholeNumber } from '../field-schemas.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const milliseconds = (byDefault: number, meaning: string) =>
  configKey(wholeNumber(1, DAY_MS).default(byDefault), { meaning });

const schema = z
  .strictObject({
    connectMs: milliseconds(
      DEFAULT_TIMEOUTS.connectMs,
      'Milliseconds from the start of the process, or the first request to the url, to the end of the handshake.',
    ),
    listMs: milliseconds(
      DEFAULT_TIMEOUTS.listMs,
      'Milliseconds of silence after which a list counts as failed. A late answer is still used.',
    ),
    listPauseMs: milliseconds(
      DEFAULT_TIMEOUTS.listPauseMs,
      'Longest pause, in milliseconds, before a failed list is requested again. Pauses double from one second up to it.',
    ),
    callMs: milliseconds(
      DEFAULT_TIMEOUTS.callMs,
      'Milliseconds of silence after which a call fails. Progress restarts the time. A call that waits for its turn longer than this is not sent.',
    ),
    totalMs: milliseconds(DEFAULT_TIMEOUTS.totalMs, 'Milliseconds for a whole call, with or without progress.'),
  })
  .prefault({});

/** The schema of the timeouts for an upstream. */
export const timeoutsSchema = configKey(schema, {
  meaning: 'How long to wait for this upstream.',
  isDefaultable: true,
  foreign: [
    {
      names: ['timeout'],
      hint: 'the times are under timeouts: { connectMs, listMs, listPauseMs, callMs, totalMs }',
    },
    { names: ['startup_timeout_sec'], hint: 'use timeouts: { connectMs: … }, in milliseconds' },
    { names: ['tool_timeout_sec'], hint: 'use timeouts: { callMs: … }, in milliseconds' },
  ],
});
