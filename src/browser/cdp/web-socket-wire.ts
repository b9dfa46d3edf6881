import { WebSocket } from 'ws';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { type CdpWire, MAX_MESSAGE_BYTES } from './wire.ts';

/**
 * Connects to a browser's DevTools WebSocket. Redirects are not followed.
 * @param url `ws://` or `wss://`
 * @throws the system's error, or what the server answered instead; the reason of `signal`
 */
export async function dialWebSocket(url: string, signal: AbortSignal): Promise<CdpWire> {
  const socket = new WebSocket(url, {
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    // Stays: an unhandled error event ends the process.
    socket.on('error', reject);
  });
  try {
    await unlessAborted(opened, signal);
  } catch (error) {
    socket.terminate();
    throw error;
  }
  return wireOf(socket);
}

function wireOf(socket: WebSocket): CdpWire {
  return {
    open({ onText, onEnd }) {
      let reason = 'the browser closed the connection';
      socket.on('message', (data) => onText((data as Buffer).toString('utf8')));
      socket.on('error', ({ message }) => {
        reason = `the connection to the browser broke (${message})`;
      });
      socket.once('close', () => onEnd(reason));
      if (socket.readyState === WebSocket.CLOSED) onEnd(reason);
    },
    send: (text) => socket.send(text, () => undefined),
    close: () => socket.terminate(),
  };
}
