import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type Body, readBody } from '../../../../../src/upstream/transports/http/body.ts';
import type { HttpResponse } from '../../../../../src/upstream/transports/http/response.ts';

test('a body that came byte by byte is a frame of few pieces', async () => {
  const text = Buffer.from(`{"a":"${'x'.repeat(20_000)}"}`);
  const response = new PassThrough();
  const read = new Promise<Body>((resolve) =>
    readBody(response as unknown as HttpResponse, { maxBytes: 1_000_000 }, resolve),
  );
  for (let at = 0; at < text.length; at++) response.emit('data', text.subarray(at, at + 1));
  response.emit('end');
  const body = await read;
  expect(body).toMatchObject({ kind: 'frame', frame: { outline: { end: text.length } } });
  expect(body.kind === 'frame' ? body.frame.pieces.length : undefined).toBeLessThan(20);
});
