import { readFileSync, writeFileSync } from 'node:fs';

const MIB = 1024 * 1024;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

function statusField(pid: number, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(match![1]) * 1024) / MIB;
}

/** Memory that a process holds, in MiB. */
export const residentMib = (pid: number): number => statusField(pid, 'VmRSS');

/** The most memory that it held since `forgetPeak`, in MiB. */
export const peakMib = (pid: number): number => statusField(pid, 'VmHWM');

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Processor time that it has used, in milliseconds. */
export function processorMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
