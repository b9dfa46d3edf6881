import { GatewayError } from '../core/errors.ts';
import { asObject } from '../core/json/as-object.ts';
import { ask, capabilitiesOf } from '../core/providers/client-questions.ts';
import type { Caller } from '../core/providers/provider.ts';
import type { ClientSampling, ModelRequest, SampledText } from '../core/settings/model-backends.ts';

/** MCP wants a limit in every request. */
const MAX_TOKENS = 4_096;

/** Returns how the model of a client is asked during a call of it. `signal` is aborted when the call is cancelled. */
export function samplingOf(caller: Caller, signal: AbortSignal): ClientSampling {
  return {
    get canSample() {
      return capabilitiesOf(caller).sampling !== undefined;
    },
    async sample(request) {
      if (!this.canSample) throw new GatewayError('CAPABILITY_MISSING', 'The client does not support sampling');
      const answer = asObject(await ask(caller, 'sampling/createMessage', paramsOf(request), signal));
      signal.throwIfAborted();
      return sampledText(answer);
    },
  };
}

function paramsOf({ messages, model, temperature, maxTokens = MAX_TOKENS }: ModelRequest): object {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return {
    messages: messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({ role, content: { type: 'text', text: content } })),
    ...(system.length > 0 && { systemPrompt: system.join('\n\n') }),
    ...(model !== undefined && { modelPreferences: { hints: [{ name: model }] } }),
    ...(temperature !== undefined && { temperature }),
    maxTokens,
  };
}

function sampledText({ content, model, stopReason }: Readonly<Record<string, unknown>>): SampledText {
  const blocks = (Array.isArray(content) ? (content as unknown[]) : [content]).map(asObject);
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  if (texts.length === 0) throw new GatewayError('MODEL_FAILED', "The client's model has answered without any text");
  const word = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { text: texts.join('\n'), model: word(model), stopReason: word(stopReason) };
}
