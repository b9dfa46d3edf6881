import type { AskedCall } from './open-ask.ts';

/** The tools, prompts and resources of an upstream whose calls are known to ask. */
export class AskingTools {
  readonly #known = new Set<string>();

  /** Notes that a call has asked. */
  note(call: AskedCall): void {
    this.#known.add(keyOf(call));
  }

  /** Returns the call that is likeliest to ask: the newest of those that are known to, else the newest of all. */
  likeliest<Call extends AskedCall>(calls: readonly [Call, ...Call[]]): Call {
    const usual = calls.filter((call) => this.#known.has(keyOf(call)));
    return (usual.length > 0 ? usual : calls).at(-1)!;
  }
}

function keyOf({ call }: AskedCall): string {
  return `${call.text.message.method} ${call.ownName}`;
}
