import { isGood, type Loss, type Verdict } from './verdict.ts';

/** A line for the run, and one for each thing that is not as it should be. */
export function reportOn(suite: string, way: string, verdict: Verdict): string {
  const { passed, failed, warnings, losses, stale } = verdict;
  const accepted = losses.filter(({ reason }) => reason !== undefined).length;
  const figures = [
    `${passed} passed`.padStart(10),
    `${failed} failed`.padStart(9),
    ...(warnings > 0 ? [`${warnings} warnings`] : []),
    ...(accepted > 0 ? [`${accepted} losses expected`] : []),
  ];
  const lines = [
    `${isGood(verdict) ? 'ok  ' : 'FAIL'} ${suite.padEnd(11)} ${way.padEnd(10)} ${figures.join(', ')}`,
    ...losses.filter(({ reason }) => reason === undefined).map(lossLine),
    ...stale.map((name) => `       ${name}: is listed as an expected failure, but passes`),
  ];
  return `${lines.join('\n')}\n`;
}

function lossLine({ name, status, message }: Loss): string {
  return `       ${name}: ${status}${message === undefined ? '' : `, ${message.slice(0, 300)}`}`;
}
