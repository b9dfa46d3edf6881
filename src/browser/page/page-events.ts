import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { quotedText } from './page-text.ts';
import type { TargetFollower, TargetKind } from './targets.ts';

const MAX_SENTENCES = 20;
const FILE_CHOOSER = 'The page asked for a file: give it one with webview_fill on the file input.';

/**
 * Answers the dialogs of a page, which stop it until they are answered, and keeps what happened for the client's next result.
 * Alerts and leaving are accepted; questions are answered with "Cancel".
 */
export class PageEvents implements TargetFollower {
  #sentences: string[] = [];
  #dropped = 0;

  /** Keeps a sentence, with its full stop. Texts of the page in it must be quoted (`quotedText`). */
  note(sentence: string): void {
    if (this.#sentences.length < MAX_SENTENCES) this.#sentences.push(sentence);
    else this.#dropped += 1;
  }

  /** Returns the sentences since the last call, oldest first. */
  take(): readonly string[] {
    const dropped = this.#dropped === 0 ? [] : [`${this.#dropped} more events followed.`];
    const taken = [...this.#sentences, ...dropped];
    this.#sentences = [];
    this.#dropped = 0;
    return taken;
  }

  async follow(session: CdpSession, kind: TargetKind): Promise<void> {
    if (kind === 'other') return;
    session.on('Page.javascriptDialogOpening', (dialog) => this.#onDialog(session, dialog));
    session.on('Page.fileChooserOpened', () => this.note(FILE_CHOOSER));
    await Promise.all([
      session.send('Page.enable'),
      // A system dialog would stay open: no user can answer it.
      session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
    ]);
  }

  #onDialog(session: CdpSession, { type, message }: Protocol.Page.JavascriptDialogOpeningEvent): void {
    const accept = type === 'alert' || type === 'beforeunload';
    this.note(sentenceFor(type, message));
    // The page may have closed the dialog by going away.
    session.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
  }
}

function sentenceFor(type: Protocol.Page.DialogType, message: string): string {
  if (type === 'beforeunload') return 'The page asked whether to leave it: it was left.';
  if (type === 'alert') return `The page showed an alert, which was accepted: ${quotedText(message)}.`;
  return `The page asked a question (${type}), which was answered with "Cancel": ${quotedText(message)}.`;
}
