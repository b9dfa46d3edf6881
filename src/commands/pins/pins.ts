import { lineDiff } from '../../core/text/line-diff.ts';
import type { PinLine } from '../../gateway/providers/pin-review.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { openVisitorSettings } from '../terminal/open-settings.ts';
import { prettyJson, print, printable, printJson, printTable } from '../terminal/print.ts';
import { type OpenPins, openPins } from './open-pins.ts';

interface PinsOptions {
  readonly config?: string;
  readonly json?: boolean;
}

interface AcceptOptions extends PinsOptions {
  /** SHA-256 hashes that `pins diff` has shown. */
  readonly sha256?: readonly string[];
}

/** Lists what was approved, and what is not as it was approved. */
export function listPins(upstream: string | undefined, options: PinsOptions): Promise<void> {
  return withPins(options, async (pins) => {
    const lines = await pins.list({ upstream });
    if (options.json === true) printJson(lines.map(({ approved: _approved, present: _present, ...line }) => line));
    else if (lines.length === 0) print('No tools were listed yet, so there are no pins.');
    else printTable(lines.map((line) => [line.upstream, line.tool, line.state, line.since]));
    return EXIT.ok;
  });
}

/** Shows how tools differ from what was approved. Exits with 1 when they do, as `diff` does. */
export function diffPins(upstream: string | undefined, tool: string | undefined, options: PinsOptions): Promise<void> {
  return withPins(options, async (pins) => {
    const differing = (await pins.list({ upstream, tool })).filter(({ present }) => present !== undefined);
    if (options.json === true) printJson(differing);
    else if (differing.length === 0) print('Everything still matches what was approved.');
    else for (const line of differing) showDiff(line);
    return differing.length === 0 ? EXIT.ok : EXIT.failed;
  });
}

/** Approves the named tools as they are now, or all tools of the upstream. */
export function acceptPins(upstream: string, tools: readonly string[], options: AcceptOptions): Promise<void> {
  return withPins(options, async (pins) => {
    const accepted = await pins.accept(upstream, tools, options.sha256);
    if (options.json === true) printJson({ upstream, accepted });
    else if (accepted.length === 0)
      print('There is nothing to accept: no tool is known to differ from what was approved.');
    else print(`${upstream}: approved as they are now: ${accepted.map(printable).join(', ')}`);
    return EXIT.ok;
  });
}

function showDiff({ upstream, tool, state, approved, present, sha256 }: PinLine): void {
  print(`${upstream} ${printable(tool)}: ${state} (SHA-256 ${sha256})`);
  print(`--- ${approved === undefined ? 'nothing: the tool is new' : 'approved'}`);
  print('+++ present');
  const before = approved === undefined ? '' : prettyJson(approved);
  for (const line of lineDiff(before, prettyJson(present))) print(line);
  print();
}

async function withPins(options: PinsOptions, work: (pins: OpenPins) => Promise<number>): Promise<void> {
  const settings = await openVisitorSettings(options.config, 'error');
  const pins = await openPins(settings);
  try {
    process.exitCode = await work(pins);
  } finally {
    pins.close();
  }
}
