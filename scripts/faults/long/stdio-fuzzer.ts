import type { ClientMessages } from './client-messages.ts';
import { ANSWER_WITHIN_MS, type LineClient } from './line-client.ts';
import { dueFor } from './oracle.ts';

/** Sends messages in lines over one connection and notes what is wrong with the answers. */
export class StdioFuzzer {
  readonly problems: string[] = [];
  unanswered = 0;
  readonly #client: LineClient;
  readonly #messages: ClientMessages;
  readonly #must = new Map<string, number>();
  readonly #may = new Map<string, number>();

  constructor(client: LineClient, messages: ClientMessages) {
    this.#client = client;
    this.#messages = messages;
  }

  /** So many messages, one after the other without waiting, then probes that must be answered. */
  async round(count: number): Promise<void> {
    const sent: Buffer[] = [];
    for (let left = count; left > 0; left--) {
      const bytes = this.#messages.next();
      sent.push(bytes);
      const { must, may } = dueFor(bytes);
      for (const key of must) this.#must.set(key, (this.#must.get(key) ?? 0) + 1);
      for (const key of may) this.#may.set(key, (this.#may.get(key) ?? 0) + 1);
      await this.#client.write(bytes);
    }
    await this.#probe('ping', '{}');
    await this.#probe('tools/call', '{"name":"u_good","arguments":{}}');
    await this.#settle(sent);
  }

  /** Looks at every id that was ever sent: none may have had more answers than requests. */
  checkAll(): void {
    for (const key of new Set([...this.#must.keys(), ...this.#may.keys()])) {
      const most = (this.#must.get(key) ?? 0) + (this.#may.get(key) ?? 0);
      const answers = this.#client.answersTo(key);
      if (answers > most) this.problems.push(`${answers} answers to ${key}, which asked ${most} times`);
    }
    for (const text of this.#client.unreadable) this.problems.push(`not JSON: ${text}`);
  }

  async #probe(method: string, params: string): Promise<void> {
    const answer = await this.#client.request(method, params);
    if (answer === undefined || !('result' in answer.message))
      this.problems.push(`probe ${method}: ${answer?.text.slice(0, 200)}`);
  }

  async #settle(sent: readonly Buffer[]): Promise<void> {
    const isOpen = (key: string) => this.#client.answersTo(key) < (this.#must.get(key) ?? 0);
    const open = () => [...new Set(sent.flatMap((bytes) => dueFor(bytes).must))].filter(isOpen);
    const due = new Set(open());
    const isDone = () => {
      for (const key of due) if (!isOpen(key)) due.delete(key);
      return due.size === 0;
    };
    if (await this.#client.waitUntil(isDone, ANSWER_WITHIN_MS)) return;
    for (const key of due) {
      this.unanswered++;
      const culprit = sent.find((bytes) => dueFor(bytes).must.includes(key));
      this.problems.push(`no answer to ${key}: ${JSON.stringify(culprit?.toString('latin1', 0, 300))}`);
      this.#must.set(key, this.#client.answersTo(key));
    }
  }
}
