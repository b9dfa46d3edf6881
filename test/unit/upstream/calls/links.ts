import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { linkTo } from '../links.ts';

/** A connection whose peer is the test: it keeps what is sent, and answers by hand. */
export function openLink(era: 'legacy' | 'modern' = 'legacy') {
  const sent: { id?: number; method: string; params: any }[] = [];
  const transport = {
    send: (bytes: Parameters<typeof toBuffer>[0]) => void sent.push(JSON.parse(toBuffer(bytes).toString())),
  };
  const link = linkTo(transport);
  if (era === 'modern') link.speakModern('"e":1');
  const hear = (message: object) =>
    link.receiver.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))));
  return { link, sent, hear, transport, methods: () => sent.map(({ method }) => method) };
}
