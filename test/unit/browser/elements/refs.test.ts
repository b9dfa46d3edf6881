import { describe, expect, test } from 'vitest';
import { CdpSession } from '../../../../src/browser/cdp/cdp-session.ts';
import { RefTable } from '../../../../src/browser/elements/refs.ts';
import type { Frame } from '../../../../src/browser/page/frames.ts';

const newSession = (id = 's') =>
  new CdpSession(
    id,
    async () => ({}),
    () => undefined,
  );
const frameOf = (session: CdpSession, id = 'main', url = 'http://a/'): Frame => ({
  id,
  url,
  session,
  parentId: undefined,
});

describe('ids of elements', () => {
  test('stay the same while the document does, and lead back to the element', () => {
    const refs = new RefTable();
    const session = newSession();
    const frame = frameOf(session);
    expect([refs.idOf(frame, 7), refs.idOf(frame, 9), refs.idOf(frame, 7)]).toEqual(['e1', 'e2', 'e1']);
    const moved = frameOf(session, 'main', 'http://a/#part');
    expect(refs.idOf(moved, 9)).toBe('e2');
    expect(refs.find('e1')).toEqual({ frame: moved, backendNodeId: 7 });
    expect(refs.find('e3')).toBeUndefined();
  });

  test('go with their document, and only with theirs', async () => {
    const refs = new RefTable();
    const session = newSession();
    await refs.follow(session);
    const [main, inner] = [frameOf(session), frameOf(session, 'inner')];
    const [id, innerId] = [refs.idOf(main, 7), refs.idOf(inner, 7)];
    expect(innerId).not.toBe(id);
    session.emit('Page.frameNavigated', { frame: { id: 'inner' } });
    expect([refs.find(id)?.backendNodeId, refs.find(innerId)]).toEqual([7, undefined]);
    expect(refs.idOf(inner, 7)).toBe('e3');
    session.emit('Page.frameDetached', { frameId: 'inner' });
    expect(refs.find('e3')).toBeUndefined();
  });

  test('go when their target ends, and when another target shows the frame', async () => {
    const refs = new RefTable();
    const [first, second] = [newSession('1'), newSession('2')];
    await Promise.all([refs.follow(first), refs.follow(second)]);
    const id = refs.idOf(frameOf(first), 7);
    const again = refs.idOf(frameOf(second), 7);
    expect([refs.find(id), again]).toEqual([undefined, 'e2']);
    second.end('gone');
    expect(refs.find(again)).toBeUndefined();
  });

  test('are limited in number: those of the oldest document go first, then the oldest of the same one', () => {
    const refs = new RefTable(3);
    const session = newSession();
    const [first, second] = [frameOf(session, 'first'), frameOf(session, 'second')];
    refs.idOf(first, 1);
    refs.idOf(first, 2);
    for (const node of [1, 2, 3, 4]) refs.idOf(second, node);
    const kept = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'].filter((id) => refs.find(id) !== undefined);
    expect(kept).toEqual(['e4', 'e5', 'e6']);
    expect(refs.idOf(second, 1)).toBe('e7');
  });

  test('a document is another one after each navigation', async () => {
    const refs = new RefTable();
    const session = newSession();
    await refs.follow(session);
    const before = refs.documentOf(frameOf(session));
    expect(refs.documentOf(frameOf(session))).toBe(before);
    session.emit('Page.frameNavigated', { frame: { id: 'main' } });
    expect(refs.documentOf(frameOf(session))).not.toBe(before);
  });
});
