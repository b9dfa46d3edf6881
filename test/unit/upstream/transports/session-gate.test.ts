import { describe, expect, test } from 'vitest';
import { SessionGate } from '../../../../src/upstream/transports/session-gate.ts';

function gate() {
  const sent: string[] = [];
  const made: SessionGate = new SessionGate((body) => {
    sent.push(String(body));
    if (String(body) === 'begin') made.close();
  });
  return { gate: made, sent, send: (text: string) => made.send(Buffer.from(text)) };
}

describe('messages before a session has begun', () => {
  test('go out at once while the gate is open', () => {
    const { gate: open, sent, send } = gate();
    send('a');
    expect(sent).toEqual(['a']);
    expect(open.bytes).toBe(0);
  });

  test('wait in order, are counted, and go out once', () => {
    const { gate: closed, sent, send } = gate();
    closed.close();
    send('a');
    send('bc');
    expect(sent).toEqual([]);
    expect(closed.bytes).toBe(3);
    closed.open();
    expect(sent).toEqual(['a', 'bc']);
    expect(closed.bytes).toBe(0);
    closed.open();
    expect(sent).toEqual(['a', 'bc']);
  });

  test('wait behind one that was held back itself and closes the gate', () => {
    const { gate: closed, sent, send } = gate();
    closed.close();
    for (const text of ['a', 'begin', 'b']) send(text);
    closed.open();
    expect(sent).toEqual(['a', 'begin']);
    closed.open();
    expect(sent).toEqual(['a', 'begin', 'b']);
  });

  test('wait until the first one is taken, and not longer than that', async () => {
    const { gate: closed, sent, send } = gate();
    let take = () => {};
    const taking = new Promise<void>((resolve) => {
      take = resolve;
    });
    const begun = closed.closeWhile(taking);
    send('a');
    expect(sent).toEqual([]);
    take();
    await begun;
    closed.open();
    expect(sent).toEqual(['a']);
  });
});
