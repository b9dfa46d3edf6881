import { cutBytes } from '../../core/text/clean-text.ts';
import { CdpError } from '../cdp/cdp-error.ts';
import { browserFailed } from '../failure.ts';
import type { NetworkEntry } from './network-entry.ts';

/** The body of a response. */
export interface ResponseBody {
  readonly mimeType: string;
  /** Size of the whole body, decompressed. */
  readonly bytes: number;
  /** Missing if its type is not text. */
  readonly text?: string;
  /** True if the text is only the beginning of it. */
  readonly isCut: boolean;
}

const TEXT_TYPES =
  /^(?:text\/|application\/(?:json|xml|javascript|ecmascript|x-www-form-urlencoded|graphql|yaml)$|image\/svg)|[+/](?:json|xml|yaml)$/;

/**
 * Fetches the body of a response from the browser.
 * @throws GatewayError if the browser no longer has it; the reason of `signal`
 */
export async function responseBody(entry: NetworkEntry, maxBytes: number, signal: AbortSignal): Promise<ResponseBody> {
  const { session, requestId, shown, charset } = entry;
  const { mimeType = 'application/octet-stream' } = shown;
  const { body, base64Encoded } = await session
    .send('Network.getResponseBody', { requestId }, signal)
    .catch((error: unknown) => {
      throw error instanceof CdpError ? noLonger(entry, error) : error;
    });
  const isText = !base64Encoded || TEXT_TYPES.test(mimeType);
  if (!isText) return { mimeType, bytes: Buffer.byteLength(body, 'base64'), isCut: false };
  const bytes = base64Encoded ? Buffer.from(decoded(Buffer.from(body, 'base64'), charset)) : Buffer.from(body);
  return { mimeType, bytes: bytes.length, text: cutBytes(bytes, maxBytes), isCut: bytes.length > maxBytes };
}

function noLonger({ shown }: NetworkEntry, error: CdpError): Error {
  return browserFailed(
    `The browser no longer has the body of ${shown.id} (${error.message}): load the page again and ask at once`,
    error,
  );
}

function decoded(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset || 'utf-8').decode(bytes);
  } catch {
    // A name that no standard knows.
    return new TextDecoder().decode(bytes);
  }
}
