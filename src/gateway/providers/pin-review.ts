import { GatewayError } from '../../core/errors.ts';
import type { Pin, PinBook, PinStore, ToolDefinition } from '../../core/stores/pin-store.ts';
import { didYouMean, nameHint } from '../../core/text/name-hint.ts';
import { shellWord } from '../../core/text/shell-word.ts';
import { accept } from '../../upstream/lists/pins/pins.ts';

/** One line of `viaduct pins list`. */
export interface PinLine {
  readonly upstream: string;
  readonly tool: string;
  readonly state: 'ok' | 'changed' | 'new' | 'withheld';
  /** The time at which it was approved, or seen to be different; ISO 8601. */
  readonly since: string;
  readonly approved?: ToolDefinition;
  /** The upstream's current definition, if it differs from the approved one. */
  readonly present?: ToolDefinition;
  /** SHA-256 of `present`: approves exactly that. */
  readonly sha256?: string;
}

export interface PinQuery {
  readonly upstream?: string | undefined;
  readonly tool?: string | undefined;
}

/** Shows and approves pins for users, in the store that the upstreams use. */
export class PinReview {
  readonly #store: PinStore;
  readonly #onAccepted: (upstream: string) => void;

  /** `onAccepted` is told when pins of an upstream were approved. */
  constructor(store: PinStore, onAccepted: (upstream: string) => void = () => undefined) {
    this.#store = store;
    this.#onAccepted = onAccepted;
  }

  /** @throws GatewayError when nothing is known of the upstream or the tool. */
  list({ upstream, tool }: PinQuery = {}): PinLine[] {
    const keys = upstream === undefined ? this.#store.upstreams() : [upstream];
    const lines = keys.flatMap((key) => [...this.#bookOf(key)].map(([name, pin]) => lineOf(key, name, pin)));
    if (tool === undefined) return lines;
    const chosen = lines.filter((line) => line.tool === tool);
    if (chosen.length === 0)
      throw unknownTool(
        upstream!,
        tool,
        lines.map((line) => line.tool),
      );
    return chosen;
  }

  /**
   * Approves tools as they are now, all of the upstream where none is named. `shown` are the SHA-256 of the only definitions
   * that may be approved. Returns the tools that were not as approved.
   * @throws GatewayError when nothing is known of the upstream or of one of the tools, or when one has another definition than
   *   was shown, or when the pins cannot be written; nothing is approved then
   */
  accept(upstream: string, tools: readonly string[] = [], shown?: readonly string[]): string[] {
    const pins = this.#bookOf(upstream);
    const unknown = tools.find((tool) => !pins.has(tool));
    if (unknown !== undefined) throw unknownTool(upstream, unknown, [...pins.keys()]);
    const isChosen = (name: string) => tools.length === 0 || tools.includes(name);
    const accepted = [...pins].filter(([name, pin]) => pin.pending !== undefined && isChosen(name));
    const other = accepted.find(([, { pending }]) => shown !== undefined && !shown.includes(pending!.hash));
    if (other !== undefined) throw notShown(upstream, other[0]);
    if (accepted.length > 0) {
      this.#store.approve(upstream, accept(pins, isChosen, new Date().toISOString()));
      this.#onAccepted(upstream);
    }
    return accepted.map(([name]) => name);
  }

  #bookOf(upstream: string): PinBook {
    const pins = this.#store.load(upstream);
    if (typeof pins !== 'string') return pins;
    const hint = nameHint(upstream, this.#store.upstreams());
    throw new GatewayError('INVALID_PARAMS', `There are no pins of an upstream "${upstream}". ${hint}`);
  }
}

function lineOf(upstream: string, tool: string, { approved, pending }: Pin): PinLine {
  const definitions = {
    ...(approved !== undefined && { approved: approved.definition }),
    ...(pending !== undefined && { present: pending.definition, sha256: pending.hash }),
  };
  if (pending === undefined) return { upstream, tool, state: 'ok', since: approved!.since, ...definitions };
  const difference = approved === undefined ? 'new' : 'changed';
  return { upstream, tool, state: pending.isWithheld ? 'withheld' : difference, since: pending.since, ...definitions };
}

function notShown(upstream: string, tool: string): GatewayError {
  const look = `viaduct pins diff ${upstream} ${shellWord(tool)}`;
  return new GatewayError(
    'INVALID_PARAMS',
    `"${tool}" is not what was shown under this SHA-256: nothing was approved. Look at it again: ${look}`,
  );
}

function unknownTool(upstream: string, tool: string, known: readonly string[]): GatewayError {
  const hint = didYouMean(tool, known) || `See: viaduct pins list ${upstream}`;
  return new GatewayError('INVALID_PARAMS', `"${upstream}" has no tool "${tool}". ${hint}`);
}
