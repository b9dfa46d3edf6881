import type { GatewayError } from '../../../src/core/errors.ts';
import type { Caller, ClientFacts, ProviderCall } from '../../../src/core/providers/provider.ts';
import { ElicitationIds } from '../../../src/upstream/events/asks/elicitation-ids.ts';
import { ToldIds } from '../../../src/upstream/events/asks/told-ids.ts';
import { type CallText, readCallText } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../src/wire/message.ts';
import type { Reply } from '../../../src/wire/reply.ts';

/** A client that keeps what it was told. */
export class KeepingCaller implements Caller {
  readonly client: ClientFacts = {
    era: 'legacy',
    clientId: 'client',
    capabilities: '{}',
    clientInfo: undefined,
    logLevel: undefined,
    folderRule: undefined,
  };
  readonly sessionId: string;
  readonly replies: Reply[] = [];
  readonly failures: GatewayError[] = [];

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  ask(): () => void {
    return () => undefined;
  }

  onReply(reply: Reply): void {
    this.replies.push(reply);
  }

  onFailure(error: GatewayError): void {
    this.failures.push(error);
  }

  onProgress(): void {}

  onNotification(): void {}
}

/** A call of a tool with its arguments, as JSON. */
export function callOf(tool: string, args = '{}', caller: Caller = new KeepingCaller('client')): ProviderCall {
  return requestOf('tools/call', 'name', tool, args, caller);
}

/** A request about a task. */
export function taskCallOf(method: string, ownId: string, caller: Caller): ProviderCall {
  return requestOf(method, 'taskId', ownId, '{}', caller);
}

/** A request about a resource. */
export function resourceCallOf(method: string, uri: string, caller: Caller): ProviderCall {
  return requestOf(method, 'uri', uri, '{}', caller);
}

function requestOf(method: string, key: string, name: string, args: string, caller: Caller): ProviderCall {
  const json = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"${key}":${JSON.stringify(name)},"arguments":${args}}}`;
  const text = readCallText(readMessage(Frame.of(Buffer.from(json))) as RequestMessage) as CallText;
  return { text, ownName: name, ownToken: JSON.stringify(name), caller };
}

/** Of an upstream whose clients are all of a kind that knows no ids. */
export const NO_ELICITATIONS = new ElicitationIds({ upstream: 'up', told: new ToldIds(), isTold: () => false });
