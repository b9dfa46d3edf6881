import { describe, expect, test } from 'vitest';
import { type FrameTree, readFrameTree } from '../../../../src/browser/snapshot/frame-tree.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { goTo, signal, usePages } from './setup.ts';

const LIMITS = { elements: 1_000, acted: 100, characters: 100_000, text: 2_000, attributes: 100_000 };

describe.skipIf(CHROMIUM === undefined)(needsChromium('the frames of a page'), () => {
  const chromium = useChromium();
  const pages = usePages();

  test('are together no larger than one page', async () => {
    pages.set('part', '<p>text</p>'.repeat(500));
    pages.set('whole', `<iframe src="${pages.url('part')}"></iframe>`.repeat(20));
    const page = await chromium.newPage();
    await goTo(page, pages.url('whole'));
    const tree = await readFrameTree(page, page.frames.main, { limits: LIMITS, signal: signal() });
    const inner = [...tree.frames.values()].map((frame) => frame.tree);
    expect(inner).toHaveLength(20);
    expect(inner.every((one) => one?.reading.isCut === true)).toBe(true);
    expect(inner.reduce((sum, one) => sum + textsIn(one), 0)).toBeLessThanOrEqual(LIMITS.elements);
  });
});

const textsIn = (tree: FrameTree | undefined) => tree?.reading.items.filter((item) => item !== 0).length ?? 0;
