import { Frame } from '../../../wire/frame.ts';
import { rawText } from '../../../wire/lens.ts';

/** An error that names no request, or another one, can only be about the request that it is the response to. */
export function errorFor(id: number, frame: Frame): Frame | undefined {
  const error = errorIn(frame);
  return error === undefined
    ? undefined
    : Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${error}}`, 'latin1'));
}

function errorIn(frame: Frame): string | undefined {
  if (frame.outline.kind !== 'object') return undefined;
  const error = frame.outline.members.findLast(({ key }) => key === 'error');
  return error === undefined || frame.byteAt(error.start) !== 0x7b ? undefined : rawText(frame.text, error);
}
