import type { UpstreamStatus } from '../core/provider-status.ts';
import type { Masker } from '../telemetry/log.ts';

/** The status with secrets replaced also in what upstreams said in answers: they may repeat what they were given. */
export function maskStatus(status: UpstreamStatus, masker: Masker): UpstreamStatus {
  const mask = (text: string): string => masker.mask(text);
  return {
    ...status,
    listErrors: status.listErrors.map(mask),
    skipped: status.skipped.map((entry) => ({ ...entry, reason: mask(entry.reason) })),
    misfits: Object.fromEntries(Object.entries(status.misfits).map(([tool, problem]) => [tool, mask(problem)])),
  };
}
