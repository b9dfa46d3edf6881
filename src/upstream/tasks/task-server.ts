import type { Era } from '../../core/providers/provider.ts';
import { saysTaskOver } from '../../era/task-ids.ts';
import { canDo, hasTasks } from '../../era/tasks.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { Link } from '../connection/link.ts';

/** The server of an upstream, as far as its tasks go. */
export class TaskServer {
  #link: Link | undefined;
  #facts: ServerFacts | undefined;

  attach(link: Link, facts: ServerFacts): void {
    this.#link = link;
    this.#facts = facts;
  }

  detach(): void {
    this.#link = undefined;
  }

  /** The present connection. */
  get link(): Link | undefined {
    return this.#link;
  }

  /** The era of its tasks; `undefined` if it has none. While there is no connection, the era of the tasks that it ran. */
  get era(): Era | undefined {
    const facts = this.#facts;
    return facts !== undefined && hasTasks(facts.era, facts.capabilities) ? facts.era : undefined;
  }

  /** Asks whether a task has ended, or is not known any more. Resolves to false when there is no answer. */
  async isOver(ownId: string, limitMs: number): Promise<boolean> {
    try {
      const answer = await this.#link?.request('tasks/get', { taskId: ownId }, limitMs);
      return answer !== undefined && (answer.error !== undefined || saysTaskOver(answer));
    } catch {
      return false; // it is asked again, unless the connection has ended
    }
  }

  /** Returns whether it has said that it can list or cancel tasks, as legacy servers do. */
  canDo(what: 'list' | 'cancel'): boolean {
    return this.#facts !== undefined && canDo(what, this.#facts.capabilities);
  }
}
