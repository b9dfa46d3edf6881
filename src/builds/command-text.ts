import { shellWord } from '../core/text/shell-word.ts';
import { cutOutsideSecrets } from '../redaction/cut-outside-secrets.ts';
import { redact } from '../redaction/redact.ts';

const MAX_COMMAND = 4_096;

/** Returns a command line as it is kept: without secrets, and cut to a readable length. `mask` replaces known secrets. */
export function commandText(command: readonly string[], mask: (text: string) => string): string {
  // As a list, for what is behind an option such as `--token`; as a text, for what only programs like curl make a secret.
  const words = redact(command.map(mask)).value;
  return redact(cutOutsideSecrets(words.map(shellWord).join(' '), MAX_COMMAND)).value;
}
