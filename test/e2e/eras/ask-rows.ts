import { expect } from 'vitest';
import type { Column } from './column.ts';
import type { Row } from './plain-rows.ts';

const textOf = (result: any): string => result.content[0].text;

const answer = async ({ client, named }: Column, tool: string, text: string): Promise<any> =>
  JSON.parse(textOf(await client.call(named(tool), { text })));

/** What the upstream wants to know of the client whose call it is. */
export const ASK_ROWS: readonly Row[] = [
  [
    'sampling',
    async (column) => {
      const nonce = column.nonce();
      const text = `${column.client.name} samples ${nonce}`;
      expect(await answer(column, 'sample', nonce)).toMatchObject({
        role: 'assistant',
        content: { type: 'text', text },
        model: 'm',
      });
    },
  ],
  [
    'elicitation by form',
    async (column) => {
      const nonce = column.nonce();
      expect(await answer(column, 'elicit', nonce)).toEqual({
        action: 'accept',
        content: { name: `${column.client.name} answers ${nonce}` },
      });
    },
  ],
  [
    'elicitation by URL',
    async (column) => {
      const nonce = column.nonce();
      expect(await answer(column, 'elicit_url', nonce)).toEqual({ action: 'accept' });
      const { params } = column.client.asked.findLast((request) => request.params?.message === nonce);
      expect(params).toMatchObject({ mode: 'url', url: 'https://example.com/sign-in?x=1&y=ü' });
    },
  ],
  [
    'roots',
    async (column) => {
      const { roots } = await answer(column, 'roots', '');
      expect(roots).toEqual([
        { uri: `file:///home/${encodeURIComponent(column.client.name)}`, name: column.client.name },
      ]);
    },
  ],
  [
    'three questions at a time',
    async (column) => {
      const nonce = column.nonce();
      const [form, sample, { roots }] = await answer(column, 'ask_all', nonce);
      expect(form.content.name).toBe(`${column.client.name} answers ${nonce}`);
      expect(sample.content.text).toBe(`${column.client.name} samples ${nonce}`);
      expect(roots[0].name).toBe(column.client.name);
    },
  ],
  [
    'a second question that follows from the first answer',
    async ({ client, named, nonce: next }) => {
      const nonce = next();
      const text = textOf(await client.call(named('ask_twice'), { text: nonce }));
      expect(text).toBe(`${client.name} answers again: ${client.name} answers ${nonce}`);
    },
  ],
  [
    'a question belongs to its own call, whatever other calls of a modern client are there',
    async ({ client, named, nonce: next, seen, release }) => {
      // Legacy clients are asked on their connection, not in the answer of a call.
      if (!client.isModern) return;
      const [nonce, other] = [next(), next()];
      const asking = client.call(named('ask_later'), { nonce });
      await expect.poll(seen).toContain(`waiting ${nonce}`);
      const later = client.call(named('wait'), { nonce: other });
      release(nonce);
      expect(JSON.parse(textOf(await asking))).toEqual({
        action: 'accept',
        content: { name: `${client.name} answers ${nonce}` },
      });
      await expect.poll(seen).toContain(`waiting ${other}`);
      release(other);
      expect(textOf(await later)).toBe(`waited ${other}`);
    },
  ],
  [
    'a prompt and a resource that ask',
    async ({ client, named }) => {
      const { messages } = await client.getPrompt(named('asking'), { who: 'Ada' });
      expect(messages[0].content.text).toBe(`eras greets ${client.name} answers who? Ada`);
      const { contents } = await client.readResource('eras://asking');
      expect(contents[0].text).toBe(`${client.name} answers may I?`);
    },
  ],
  [
    'a URL to visit first: an error for legacy clients of a legacy server, else a question',
    async ({ client, named, nonce: next, upstreamEra }) => {
      const nonce = next();
      const signIn = () => client.call(named('sign_in'), { nonce });
      if (!client.isModern && upstreamEra === 'legacy') {
        await expect(signIn()).rejects.toMatchObject({
          code: -32042,
          data: { elicitations: [{ mode: 'url', message: nonce }] },
        });
      }
      expect(textOf(await signIn())).toBe(`signed in ${nonce}`);
      const urls = client.asked.filter(({ params }) => params?.message === nonce).map(({ params }) => params.url);
      expect(urls).toEqual(!client.isModern && upstreamEra === 'legacy' ? [] : ['https://example.com/sign-in']);
    },
  ],
  [
    'no modern client is ever sent a request',
    async ({ client }) => {
      const requests = client.heard.filter(({ id, method }) => id !== undefined && method !== undefined);
      expect(requests.length > 0).toBe(!client.isModern);
    },
  ],
];
