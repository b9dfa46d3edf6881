import type { AuditedFacts } from '../core/providers/audit-entry.ts';
import type { EndedCall } from '../core/providers/call-audit.ts';
import { escapeInvisible } from '../core/text/clean-text.ts';
import { outcomeOf } from './outcome.ts';
import { type ArgumentsForm, shownArguments } from './shown-arguments.ts';
import { type NameMasker, Subjects, type WrittenSubject } from './subjects.ts';

/** A call of a batch. The whole entry is made where one is wanted: most are only written. */
export interface BatchedCall {
  readonly at: number;
  readonly written: WrittenSubject;
  readonly facts: AuditedFacts;
}

/** Makes lines of a batch of calls. Written by hand: it is the greatest part of what the audit costs. */
export class Batch {
  readonly #form: ArgumentsForm;
  readonly #masker: NameMasker;
  readonly #subjects: Subjects;
  readonly #calls: BatchedCall[] = [];
  #lines = '';
  #at = Number.NaN;
  #isoAt = '';

  constructor(form: ArgumentsForm, masker: NameMasker) {
    this.#form = form;
    this.#masker = masker;
    this.#subjects = new Subjects(masker);
  }

  get calls(): readonly BatchedCall[] {
    return this.#calls;
  }

  get lines(): string {
    return this.#lines;
  }

  add(call: EndedCall): void {
    const { at, text, durationMs, descriptor } = call;
    const form = descriptor?.hasSecretArguments === true && this.#form === 'redacted' ? 'digest' : this.#form;
    const { outcome, code } = outcomeOf(call);
    const facts = {
      arguments: shownArguments(text, form, (shown) => this.#masker.mask(shown)),
      outcome,
      code,
      durationMs: Math.round(durationMs * 10) / 10,
    };
    const written = this.#subjects.of(call);
    this.#calls.push({ at, written, facts });
    this.#lines += `{"at":"${this.#iso(at)}",${written.json}${argumentsMember(facts.arguments)},"outcome":"${outcome}"${codeMember(code)},"durationMs":${facts.durationMs}}\n`;
  }

  #iso(at: number): string {
    if (at !== this.#at) {
      this.#at = at;
      this.#isoAt = new Date(at).toISOString();
    }
    return this.#isoAt;
  }
}

function argumentsMember(shown: string | undefined): string {
  return shown === undefined ? '' : `,"arguments":${escapeInvisible(JSON.stringify(shown))}`;
}

function codeMember(code: string | number | undefined): string {
  return code === undefined ? '' : `,"code":${JSON.stringify(code)}`;
}
