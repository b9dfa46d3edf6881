import type { UpstreamStatus } from '../core/provider-status.ts';
import type { Masker } from '../telemetry/log.ts';

/** The status with the secrets of the config replaced in what comes from the upstream: it may print what it was given. */
export function maskStatus(status: UpstreamStatus, masker: Masker): UpstreamStatus {
  const mask = (text: string): string => masker.mask(text);
  const { reason, lastError, misfits } = status;
  return {
    ...status,
    ...(reason !== undefined && { reason: mask(reason) }),
    ...(lastError !== undefined && { lastError: mask(lastError) }),
    listErrors: status.listErrors.map(mask),
    skipped: status.skipped.map((entry) => ({ ...entry, reason: mask(entry.reason) })),
    misfits: Object.fromEntries(Object.entries(misfits).map(([tool, problem]) => [tool, mask(problem)])),
    stderr: status.stderr.map(mask),
  };
}
