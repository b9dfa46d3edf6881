import { encodeHeaderValue } from '../../../era/http/header-values.ts';
import { standardHeadersOf } from '../../../era/http/http-headers.ts';
import { type ParameterHeader, parameterHeadersOf, parameterValue } from '../../../era/http/parameter-headers.ts';
import { readEnvelope } from '../../../era/modern/envelope.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import { lastMember } from '../../../wire/lens.ts';
import { paramsOf, type RequestMessage } from '../../../wire/message.ts';
import type { Member } from '../../../wire/scanning/outline.ts';
import type { Headers } from './http-message.ts';

/** Gives the JSON of a tool by the upstream's own name for it. */
export type ToolText = (ownName: string) => ByteString | undefined;

/** The number of tools whose headers are kept, more than any server has. */
const MAX_KEPT = 10_000;

/** Makes the headers that describe a modern request (2026-07-28, Streamable HTTP, "Request Metadata"). */
export class ModernHeaders {
  readonly #toolText: ToolText;
  readonly #declarations = new Map<
    string,
    { readonly tool: ByteString; readonly headers: readonly ParameterHeader[] }
  >();

  constructor(toolText: ToolText) {
    this.#toolText = toolText;
  }

  /** `undefined` for a request without an envelope: it is of the legacy era. */
  of(message: RequestMessage): Headers | undefined {
    const { text } = message.frame;
    const params = paramsOf(message);
    const envelope = readEnvelope(message.frame, params);
    if ('problem' in envelope) return undefined;
    const { 'Mcp-Method': method, 'Mcp-Name': name } = standardHeadersOf(message.method, text, params);
    return {
      'mcp-protocol-version': envelope.version,
      'mcp-method': encodeHeaderValue(method),
      ...(name !== undefined && { 'mcp-name': encodeHeaderValue(name) }),
      ...(message.method === 'tools/call' && name !== undefined && this.#parametersOf(name, text, params)),
    };
  }

  #parametersOf(tool: string, text: Buffer, params: readonly Member[]): Headers {
    const args = lastMember(params, 'arguments');
    const headers: Record<string, string> = {};
    for (const { header, path } of this.#declared(tool)) {
      const value = parameterValue(text, args, path);
      if (value !== undefined) headers[header.toLowerCase()] = encodeHeaderValue(value);
    }
    return headers;
  }

  /** Read once, as long as the tool stays as it is. */
  #declared(name: string): readonly ParameterHeader[] {
    const tool = this.#toolText(name);
    if (tool === undefined) return [];
    const kept = this.#declarations.get(name);
    if (kept?.tool === tool) return kept.headers;
    const headers = declaredIn(tool);
    if (this.#declarations.size >= MAX_KEPT) this.#declarations.clear();
    this.#declarations.set(name, { tool, headers });
    return headers;
  }
}

/**
 * Returns the declarations of a tool. A tool with invalid declarations is not offered; a call of it is sent without
 * such headers.
 */
function declaredIn(tool: ByteString): readonly ParameterHeader[] {
  const found = parameterHeadersOf(tool);
  return 'problem' in found ? [] : found;
}
