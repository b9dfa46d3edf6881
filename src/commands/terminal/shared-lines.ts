import { isRunning, stampIn } from '../../core/processes/process-stamp.ts';
import type { SharedStatus } from '../../gateway/gateway-status.ts';
import type { DaemonRecord } from '../../gateway/serving/daemon-record.ts';
import { type SharedRecord, sharedRecords } from '../../gateway/shared/shared-records.ts';

/** Returns the shared gateways of a config that run, without the one with this process number. */
export function otherGateways(home: string, configPath: string, pid?: number): SharedRecord[] {
  return sharedRecords(home, configPath).filter((record) => record.pid !== pid && mayRun(record));
}

function mayRun({ process: stamp }: SharedRecord): boolean {
  const found = stampIn(stamp);
  return found !== undefined && isRunning(found) !== false;
}

/** Returns lines for people about how long a shared gateway lives. */
export function lifetimeLines({ clients, keptAliveBy, endsAt, endsAtLatest }: SharedStatus): string[] {
  const others = clients - 1;
  const ends = others > 0 ? `it has ${others} other client${others === 1 ? '' : 's'}` : 'it has no other clients';
  const until = endsAt === undefined ? '' : `, and ends at ${endsAt}`;
  const latest = endsAtLatest === undefined ? '' : ` (at ${endsAtLatest} at the latest)`;
  return [
    `shared: ${ends}${until}`,
    ...(keptAliveBy.length === 0 ? [] : [`kept alive by: ${keptAliveBy.join(', ')}${latest}`]),
  ];
}

/** Returns lines for people about the gateways that clients with other values of variables have. */
export function splitLines(record: DaemonRecord | undefined, others: readonly SharedRecord[]): string[] {
  const own = record?.shared?.variables ?? [];
  const split = own.length === 0 ? [] : [`only for clients with the same ${own.join(', ')}`];
  const elsewhere = others.map(({ pid, shared: { variables } }) => {
    const why = variables.length === 0 ? 'in other surroundings' : `for other values of ${variables.join(', ')}`;
    return `another shared gateway of this config runs ${why} (pid ${pid})`;
  });
  return [...split, ...elsewhere];
}
