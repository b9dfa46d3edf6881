import { describe, expect, test } from 'vitest';
import { navigate } from '../../../../src/browser/actions/navigate.ts';
import { shownDocuments } from '../../../../src/browser/elements/shown-documents.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('the documents around an element'), () => {
  const { newPage } = useChromium();

  test('are the same until one of them is replaced', async () => {
    const { page, pages, read } = await showPage(await newPage(), '<iframe srcdoc="Inner"></iframe>');
    const [main, inner] = page.frames.list();
    const [requireMain, requireInner] = [shownDocuments(page, main!), shownDocuments(page, inner!)];
    await read(`location.hash = 'part'; 0`);
    requireInner('nothing was done');
    await read(`const frame = document.querySelector('iframe');
      await new Promise((resolve) => { frame.onload = resolve; frame.srcdoc = 'Other'; }); 0`);
    requireMain('nothing was done');
    const gone = 'the page went to another address, so nothing was done: look at the page again';
    expect(() => requireInner('nothing was done')).toThrow(gone);
    await navigate(page, `${pages.origin}/next`, { wait: 'commit', signal: NO_END });
    expect(() => requireMain('nothing was done')).toThrow(gone);
  });
});
