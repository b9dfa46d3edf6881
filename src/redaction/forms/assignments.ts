import { redactCommands } from './commands.ts';
import { redactEnvLines } from './env-lines.ts';
import { redactHeaders } from './headers.ts';
import { redactManifests } from './manifests.ts';
import { redactNamedElsewhere } from './named-elsewhere.ts';
import { redactNamedValues } from './named-values.ts';
import { redactUrls } from './urls.ts';

type OnFound = (kind: string) => void;

/** The most specific form comes first. */
const STEPS: readonly ((text: string, onFound: OnFound) => string)[] = [
  redactHeaders,
  redactUrls,
  redactManifests,
  redactCommands,
  redactEnvLines,
  redactNamedValues,
  redactNamedElsewhere,
];

/** Takes out secrets that their surroundings give away: headers, URLs, commands, settings, assignments. */
export function redactAssignments(text: string, onFound: OnFound): string {
  return STEPS.reduce((redacted, step) => step(redacted, onFound), text);
}
