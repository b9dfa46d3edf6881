import { expect, test } from 'vitest';
import { ClientTurns } from '../../../../src/workflows/webview/client-turns.ts';

test('a client acts one after the other, and does not wait for other clients', async () => {
  const turns = new ClientTurns();
  const said: string[] = [];
  const endFirst = await turns.next('a');
  const second = turns.next('a').then((end) => {
    said.push('second');
    end();
  });
  (await turns.next('b'))();
  said.push('other client');
  endFirst();
  await second;
  expect(said).toEqual(['other client', 'second']);
});
