import { expect } from 'vitest';
import type { Column } from './column.ts';
import type { Row } from './plain-rows.ts';

const textOf = (result: any): string => result.content[0].text;

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const ANNOUNCEMENT = /\/list_changed$|^notifications\/resources\/updated$/;
/** What only results of 2026-07-28 have, and what those have that may be kept. */
const ERA_MEMBERS = ['resultType', 'ttlMs', 'cacheScope'];
const KEPT = ['tools', 'prompts', 'resources', 'resourceTemplates', 'contents'];

const updatesOf = ({ client }: Column, uri: string): any[] =>
  client.heard.filter(({ method, params }) => method === 'notifications/resources/updated' && params.uri === uri);

/** What changes at the upstream. Ends with its death. */
export const CHANGE_ROWS: readonly Row[] = [
  [
    'list_changed: the client reads its lists again, and finds and loses what came and went',
    async ({ client, named, shown, nonce }) => {
      const name = nonce().replaceAll(/\W/g, '_');
      const offered = () => ({
        tool: client.lists.tools.some((tool) => tool.name === named(name)),
        prompt: client.lists.prompts.some((prompt) => prompt.name === named(name)),
        resource: client.lists.resources.some(({ uri }) => uri === shown(`eras://${name}`)),
      });
      await client.call(named('grow'), { name });
      await expect.poll(offered).toEqual({ tool: true, prompt: true, resource: true });
      expect(textOf(await client.call(named(name)))).toBe(`grown ${name}`);
      await client.call(named('shrink'), { name });
      await expect.poll(offered).toEqual({ tool: false, prompt: false, resource: false });
    },
  ],
  [
    'resource updated: those who subscribed hear of it, until they no longer do',
    async (column) => {
      const { client, named, shown } = column;
      const own = new Map(
        [column.nonce(), column.nonce()].map((id) => [shown(`eras://item/${id}`), `eras://item/${id}`]),
      );
      const [uri, other] = [...own.keys()] as [string, string];
      const touch = (what: string) => client.call(named('touch'), { uri: own.get(what) });
      const endOther = await client.subscribe(other);
      const end = await client.subscribe(uri);
      // A gateway may still be telling its upstream that this resource is of interest.
      await expect
        .poll(async () => {
          await touch(uri);
          return updatesOf(column, uri).length;
        })
        .toBeGreaterThan(0);
      await end();
      await touch(other);
      await expect.poll(() => updatesOf(column, other).length).toBe(1);
      const before = updatesOf(column, uri).length;
      await touch(uri);
      await touch(other);
      await expect.poll(() => updatesOf(column, other).length).toBe(2);
      expect(updatesOf(column, uri)).toHaveLength(before);
      await endOther();
    },
  ],
  [
    'what belongs to the other era does not reach the client',
    async ({ client }) => {
      const results = client.heard.flatMap(({ result }) => (result === undefined ? [] : [result]));
      const announced = client.heard.filter(({ method }) => ANNOUNCEMENT.test(method));
      expect(results.length).toBeGreaterThan(20);
      expect(announced.length).toBeGreaterThan(0);
      if (client.isModern) {
        expect(results.filter(({ resultType }) => resultType === undefined)).toEqual([]);
        const kept = results.filter((result) => KEPT.some((key) => key in result) && result.resultType === 'complete');
        expect(kept.filter(({ ttlMs, cacheScope }) => ttlMs === undefined || cacheScope === undefined)).toEqual([]);
        expect(announced.filter(({ params }) => params?._meta?.[SUBSCRIPTION] === undefined)).toEqual([]);
      } else {
        expect(results.filter((result) => ERA_MEMBERS.some((key) => key in result))).toEqual([]);
        expect(announced.filter(({ params }) => params?._meta?.[SUBSCRIPTION] !== undefined)).toEqual([]);
      }
    },
  ],
  [
    'upstream exit: the call ends with an error, it does not hang',
    async ({ client, named, exit, comesBack }) => {
      const outcome = await client.call(exit).then(
        (result) => (result.isError === true ? 'error result' : 'success'),
        () => 'error',
      );
      expect(outcome).toMatch(/^error/);
      if (!comesBack) return;
      const echo = exit.replace('exit', 'echo');
      await expect.poll(async () => textOf(await client.call(echo, { text: 'back' }))).toBe('mortal: back');
      expect(textOf(await client.call(named('echo'), { text: 'well' }))).toBe('eras: well');
    },
  ],
];
