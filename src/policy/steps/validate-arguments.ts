import { GatewayError } from '../../core/errors.ts';
import { ArgumentsValidator, describeProblems, type Problem } from '../../schema/arguments-validator.ts';
import { hasRepeatedMembers } from '../../wire/edits/member-count.ts';
import { valueAt } from '../../wire/lens.ts';
import type { CreatePolicy, RoutedCall } from '../policy.ts';
import { noteBudgets, withoutValues } from './notes.ts';
import { schemaOf } from './tool-schemas.ts';

/** The check sees the last one, and the server may read another. */
const REPEATED = 'the arguments have an object in which a member occurs twice';

/**
 * Holds a call's arguments against the tool's input schema. If misfits are refused, the call waits for the verdict;
 * if they are only noted, the verdict comes after the call has left.
 */
export const validateArguments: CreatePolicy = () => {
  const validator = new ArgumentsValidator();
  const mayNote = noteBudgets();
  return {
    admit(routed) {
      const { provider, descriptor, call } = routed;
      if (provider.validation === 'off' || descriptor?.kind !== 'tool') return undefined;
      if (provider.validation === 'warn') {
        if (mayNote(provider.id)) setImmediate(() => note(validator, routed));
        return undefined;
      }
      const problems = problemsOf(validator, routed);
      if (problems === undefined) return undefined;
      const text = typeof problems === 'string' ? problems : describeProblems(call.text.target, problems);
      return new GatewayError('INVALID_ARGUMENTS', `${call.text.target}: ${text}`, {
        upstream: provider.id,
        effect: 'none',
      });
    },
  };
};

function note(validator: ArgumentsValidator, routed: RoutedCall): void {
  const problems = problemsOf(validator, routed);
  if (problems === undefined) return;
  routed.provider.onMisfit?.(routed.call.ownName, typeof problems === 'string' ? problems : withoutValues(problems));
}

function problemsOf(
  validator: ArgumentsValidator,
  { descriptor, call }: RoutedCall,
): readonly Problem[] | typeof REPEATED | undefined {
  const { message, arguments: span } = call.text;
  const given = span === undefined ? {} : valueAt(message.frame.text, span);
  if (span !== undefined && hasRepeatedMembers(message.frame.text, span, given)) return REPEATED;
  const { outcome, problems } = validator.check(schemaOf(descriptor!, 'inputSchema')!, given);
  return outcome === 'invalid' ? problems : undefined;
}
