import { GatewayError } from '../../../core/errors.ts';
import { canSubscribe } from '../../../era/modern/subscription.ts';
import { errorReply, type Reply, resultReply } from '../../../wire/reply.ts';
import type { ServerFacts } from '../../connection/handshake.ts';
import type { ListenStream } from './listen-stream.ts';

interface ModernServer {
  readonly upstream: string;
  readonly patienceMs: number;
  readonly stream: ListenStream;
  readonly facts: ServerFacts | undefined;
}

/**
 * Answers `resources/subscribe` for a modern upstream: by what it says about its stream of changes (2026-07-28,
 * "Subscriptions").
 * @throws GatewayError when it does not say anything in time, or the connection ends first
 */
export async function modernAnswer(uri: string, server: ModernServer): Promise<Reply> {
  const { upstream, patienceMs, stream, facts } = server;
  if (!canSubscribe(facts?.capabilities ?? {})) return refusal(`${upstream}: it does not tell of changes of resources`);
  switch (await stream.confirm(uri, patienceMs)) {
    case 'told':
      return resultReply({});
    case 'refused':
      return refusal(`${upstream}: it does not tell of changes of this resource`);
    case 'silent': {
      const text = `${upstream}: it has not acknowledged the subscription within ${patienceMs / 1000} s`;
      throw new GatewayError('UPSTREAM_TIMEOUT', text, { upstream, effect: 'unknown' });
    }
    case 'lost': {
      const text = `${upstream}: the connection was lost before it acknowledged the subscription`;
      throw new GatewayError('UPSTREAM_EXITED', text, { upstream, effect: 'unknown' });
    }
  }
}

function refusal(message: string): Reply {
  return errorReply({ code: -32601, message });
}
