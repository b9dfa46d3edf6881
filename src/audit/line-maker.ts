import type { EndedCall } from '../core/providers/call-audit.ts';
import { escapeInvisible } from '../core/text/clean-text.ts';
import { outcomeOf } from './outcome.ts';
import { type ArgumentsForm, shownArguments } from './shown-arguments.ts';
import { type NameMasker, Subjects } from './subjects.ts';

/** The time for which subjects are remembered: the masker may learn of further secrets. */
const REMEMBERED_MS = 1_000;

const DIGEST = /^[0-9a-f]{1,64}$/;

/** Makes lines of calls. Written by hand: it is the greatest part of what the audit costs. */
export class LineMaker {
  readonly #form: ArgumentsForm;
  readonly #masker: NameMasker;
  readonly #mask: (text: string) => string;
  #subjects: Subjects;
  #subjectsSince = Number.NEGATIVE_INFINITY;
  #at = Number.NaN;
  #isoAt = '';

  constructor(form: ArgumentsForm, masker: NameMasker) {
    this.#form = form;
    this.#masker = masker;
    this.#mask = (text) => masker.mask(text);
    this.#subjects = new Subjects(masker);
  }

  /** Returns the line of a call, with its end. */
  lineOf(call: EndedCall): string {
    const { at, text, durationMs, descriptor } = call;
    const form = descriptor?.hasSecretArguments === true && this.#form === 'redacted' ? 'digest' : this.#form;
    const { outcome, code } = outcomeOf(call);
    const shown = shownArguments(text, form, this.#mask);
    const subject = this.#subjectsNow().jsonOf(call);
    return `{"at":"${this.#iso(at)}",${subject}${argumentsMember(shown)},"outcome":"${outcome}"${codeMember(code)},"durationMs":${Math.round(durationMs * 10) / 10}}\n`;
  }

  #subjectsNow(): Subjects {
    const now = performance.now();
    if (now - this.#subjectsSince > REMEMBERED_MS) {
      this.#subjectsSince = now;
      this.#subjects = new Subjects(this.#masker);
    }
    return this.#subjects;
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
  if (shown === undefined) return '';
  const json = DIGEST.test(shown) ? `"${shown}"` : escapeInvisible(JSON.stringify(shown));
  return `,"arguments":${json}`;
}

function codeMember(code: string | number | undefined): string {
  return code === undefined ? '' : `,"code":${JSON.stringify(code)}`;
}
