import { lastMember, membersOf, stringAt, typeOfByte } from '../../../wire/lens.ts';
import type { ResponseMessage } from '../../../wire/message.ts';
import type { Headers } from './http-message.ts';
import type { HttpResponse } from './response.ts';

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The session that a legacy server announced in its response to `initialize`, which each later request must name. */
export class HttpSession {
  #id: string | undefined;
  #version: string | undefined;

  /** The server keeps a session for us. */
  get hasId(): boolean {
    return this.#id !== undefined;
  }

  /** `initialize` was answered: this server is a legacy one. */
  get isOpen(): boolean {
    return this.#version !== undefined;
  }

  get headers(): Headers {
    return {
      ...(this.#id !== undefined && { 'mcp-session-id': this.#id }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  /** The head of the response to `initialize`. */
  onHead({ headers }: HttpResponse): void {
    const id = headers['mcp-session-id'];
    if (typeof id === 'string' && VISIBLE_ASCII.test(id)) this.#id = id;
  }

  /** The answer to `initialize`. */
  onAnswer({ frame, result }: ResponseMessage): void {
    if (result === undefined || typeOfByte(frame.byteAt(result.start)) !== 'object') return;
    const version = stringAt(frame.text, lastMember(membersOf(frame.text, result), 'protocolVersion'));
    if (version !== undefined && VISIBLE_ASCII.test(version)) this.#version = version;
  }
}
