import { GatewayError } from '../../core/errors.ts';
import type { CreatePolicy, RoutedCall } from '../policy.ts';

/**
 * Refuses calls of a tool that was withheld because it differs from its approved version, and says so to clients that
 * still know it.
 */
export const refuseWithheld: CreatePolicy = () => ({ admit });

function admit({ provider, descriptor, call }: RoutedCall): GatewayError | undefined {
  if (descriptor !== undefined || call.text.message.method !== 'tools/call') return undefined;
  const entry = provider
    .withheld?.()
    .find(({ kind, name, reason }) => kind === 'tool' && reason === 'pinned' && name === call.ownName);
  if (entry === undefined) return undefined;
  return new GatewayError('TOOL_PINNED', `${call.text.target} is withheld: ${entry.detail}`, {
    upstream: provider.id,
    effect: 'none',
  });
}
