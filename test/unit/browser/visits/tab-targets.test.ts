import { expect, test } from 'vitest';
import type { OwnPage } from '../../../../src/browser/visits/own-pages.ts';
import { TabTargets, type TabTargetsOptions } from '../../../../src/browser/visits/tab-targets.ts';

interface Target {
  readonly targetId: string;
  readonly type?: string;
  readonly title?: string;
  readonly url?: string;
  readonly browserContextId?: string;
}

interface Setup {
  readonly contextId?: string;
  /** Targets that the client has. */
  readonly own?: readonly string[];
  /** Targets that other clients have. */
  readonly taken?: readonly string[];
}

function targetsOf(targets: readonly Target[], { contextId, own = [], taken = [] }: Setup = {}) {
  const targetInfos = targets.map((target) => ({
    type: 'page',
    title: `Title of ${target.targetId}`,
    url: `https://${target.targetId}.example`,
    browserContextId: 'user',
    ...target,
  }));
  const root = { send: async () => ({ targetInfos }) } as unknown as TabTargetsOptions['ground']['connection']['root'];
  const ground = { connection: { root }, contextId };
  const claims = { isTakenByOther: (targetId: string) => taken.includes(targetId) };
  const get = (targetId: string) => (own.includes(targetId) ? ({} as OwnPage) : undefined);
  return new TabTargets({ ground, claims }, { get });
}

const idsOf = (targets: readonly { readonly targetId: string }[]) => targets.map(({ targetId }) => targetId);

test('in a context of its own a client has the pages of that context', async () => {
  const targets = targetsOf(
    [
      { targetId: 'a', browserContextId: 'own' },
      { targetId: 'b' },
      { targetId: 'worker', type: 'service_worker', browserContextId: 'own' },
      { targetId: 'tools', url: 'devtools://devtools/', browserContextId: 'own' },
    ],
    { contextId: 'own' },
  );
  expect(idsOf(await targets.all())).toEqual(['a']);
});

test('in the profile of the user it can select the tabs there, except those of other clients', async () => {
  const targets = targetsOf(
    [{ targetId: 'a' }, { targetId: 'b' }, { targetId: 'c' }, { targetId: 'd', browserContextId: 'other' }],
    { own: ['a'], taken: ['b'] },
  );
  expect(idsOf(await targets.all())).toEqual(['a', 'c']);
});

test('tabs are listed by their ids, which they keep, and not more than a hundred', async () => {
  const many = Array.from({ length: 120 }, (_, index) => ({ targetId: `target-${index}` }));
  const targets = targetsOf(many, { contextId: 'user' });
  expect(targets.idOf('target-5')).toBe('t1');
  const listed = await targets.listed();
  expect(listed).toHaveLength(100);
  expect(listed.map(({ targetId }) => targets.idOf(targetId))).toEqual(listed.map((_, index) => `t${index + 1}`));
  expect(listed[0]!.targetId).toBe('target-5');
  expect(await targets.listed()).toEqual(listed);
});

test('a tab is found by its id, and one that is not there is named', async () => {
  const targets = targetsOf([{ targetId: 'a' }, { targetId: 'b' }], { contextId: 'user' });
  expect(await targets.withId('t2')).toMatchObject({ targetId: 'b' });
  await expect(targets.withId('t3')).rejects.toThrow('there is no tab "t3"');
});

test('a tab tells whether it is current and whose it is; its texts are cut', async () => {
  const targets = targetsOf([{ targetId: 'a' }, { targetId: 'b', title: 'x'.repeat(300) }], {
    contextId: 'user',
    own: ['a'],
  });
  const [a, b] = (await targets.all()).map((target) => targets.tabOf(target, 'a'));
  expect(a).toEqual({ id: 't1', title: 'Title of a', url: 'https://a.example', isCurrent: true, isOwn: true });
  expect(b).toMatchObject({ id: 't2', isCurrent: false, isOwn: false });
  expect(b!.title.length).toBeLessThanOrEqual(201);
});
