/** Meanings of the errors of Chrome's network stack that people meet: https://chromium.googlesource.com/chromium/src/+/main/net/base/net_error_list.h. */
const MEANINGS: readonly (readonly [start: string, meaning: string])[] = [
  ['ERR_NAME_NOT_RESOLVED', 'no host has this name. Check the spelling'],
  ['ERR_CONNECTION_REFUSED', 'nothing listens on this host and port. Start the server, or check the port'],
  ['ERR_CONNECTION_', 'the server ended the connection'],
  ['ERR_EMPTY_RESPONSE', 'the server ended the connection without an answer'],
  ['ERR_INTERNET_DISCONNECTED', 'this machine has no network'],
  ['ERR_NETWORK_CHANGED', 'the network changed meanwhile. Try again'],
  ['ERR_ADDRESS_UNREACHABLE', 'the host cannot be reached from here'],
  ['ERR_TIMED_OUT', 'the host does not answer'],
  ['ERR_CERT_', "the server's certificate is not valid for this address"],
  ['ERR_SSL_', 'the server does not speak TLS as browsers want it. Try http instead of https'],
  ['ERR_TOO_MANY_REDIRECTS', 'the server redirects for ever'],
  ['ERR_UNSAFE_PORT', 'browsers do not open this port'],
  ['ERR_UNKNOWN_URL_SCHEME', 'browsers do not open such addresses'],
  ['ERR_INVALID_URL', 'this is not an address. Begin with https://'],
  ['ERR_BLOCKED_BY_', 'the request was blocked'],
  ['ERR_ABORTED', 'the server answered without a page, or something ended the loading'],
  ['ERR_', 'the page could not be loaded'],
];

/**
 * Says what an error of Chrome's network stack means.
 * @param errorText as the DevTools protocol has it, such as `net::ERR_NAME_NOT_RESOLVED`
 * @returns a clause, with the error in brackets
 */
export function netErrorMeaning(errorText: string): string {
  const name = errorText.replace('net::', '');
  const meaning = MEANINGS.find(([start]) => name.startsWith(start))?.[1];
  return meaning === undefined ? errorText : `${meaning} (${name})`;
}
