import { createLog } from '../../../../src/telemetry/log.ts';
import { Link } from '../../../../src/upstream/connection/link.ts';
import { PeerFaults } from '../../../../src/upstream/connection/peer-faults.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';

/** A connection whose peer is the test: it keeps what is sent, and answers by hand. */
export function openLink(era: 'legacy' | 'modern' = 'legacy') {
  const sent: { id?: number; method: string; params: any }[] = [];
  const transport = {
    pid: undefined,
    queuedBytes: 0,
    send: (bytes: Parameters<typeof toBuffer>[0]) => void sent.push(JSON.parse(toBuffer(bytes).toString())),
    close: () => Promise.resolve(),
  };
  const events = {
    onAsk: () => undefined,
    onAskCancelled: () => undefined,
    onNotification: () => undefined,
    onLateProgress: () => false,
    onHung: () => undefined,
  };
  const link = new Link('up', transport, events, new PeerFaults(createLog({ level: 'silent' }), (text) => text));
  if (era === 'modern') link.speakModern('"e":1');
  const hear = (message: object) => link.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))));
  return { link, sent, hear, transport, methods: () => sent.map(({ method }) => method) };
}
