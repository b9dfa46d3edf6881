import { describe, expect, test } from 'vitest';
import { imageSize } from '../../../../src/browser/actions/image-size.ts';
import { screenshot } from '../../../../src/browser/actions/screenshot.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, type ShownPage, showPage } from '../../../support/browser/shown-page.ts';
import { shared } from '../../../support/shared.ts';

const RED = [255, 0, 0];
const BLUE = [0, 0, 255];

/** Lets the page read pixels of a picture: colours at the places, which are given as parts of its width and height. */
async function coloursOf({ read }: ShownPage, { data, format }: { data: string; format: string }, places: number[][]) {
  return (await read(`const image = new Image(); image.src = 'data:image/${format};base64,${data}'; await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);
    ${JSON.stringify(places)}.map(([x, y]) => [...context.getImageData(x * (image.width - 1), y * (image.height - 1), 1, 1).data].slice(0, 3))`)) as number[][];
}

describe.skipIf(CHROMIUM === undefined)(needsChromium('screenshot'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html: string, more = {}) => showPage(await onlyPage(), html, more);

  test('is what the window shows, as PNG or as JPEG', async () => {
    const shown = await show('<body style="background: red; margin: 0"><div style="height: 3000px"></div>');
    const [width, height] = (await shown.read('[innerWidth, innerHeight]')) as number[];
    const png = await screenshot(shown.page, { format: 'png' }, NO_END);
    expect(png).toEqual({ data: expect.any(String) as string, format: 'png', width, height });
    expect(Buffer.from(png.data, 'base64').subarray(0, 4).toString('latin1')).toBe('\x89PNG');
    expect(await coloursOf(shown, png, [[0.5, 0.5]])).toEqual([RED]);
    const jpeg = await screenshot(shown.page, { format: 'jpeg' }, NO_END);
    expect(jpeg).toMatchObject({ format: 'jpeg', width, height });
    expect(Buffer.from(jpeg.data, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  test('can be the whole page', async () => {
    const shown = await show(
      '<body style="margin: 0"><div style="height: 2000px; background: red"></div><div style="height: 1000px; background: blue"></div>',
    );
    await shown.read('scrollTo(0, 700)');
    const picture = await screenshot(shown.page, { format: 'png', fullPage: true }, NO_END);
    expect(picture.height).toBe(3_000);
    expect(
      await coloursOf(shown, picture, [
        [0.5, 0.1],
        [0.5, 0.6],
        [0.5, 0.9],
      ]),
    ).toEqual([RED, RED, BLUE]);
    expect(await shown.read('scrollY')).toBe(700);
  });

  test('of an enormous page is cut', async () => {
    const { page } = await show('<div style="height: 100000px"></div>');
    const picture = await screenshot(page, { format: 'jpeg', fullPage: true }, NO_END);
    expect(picture).toMatchObject({ height: 16_000, isCut: true });
  });

  test('can be one element, wherever it is', async () => {
    const shown = await show(
      `<div style="height: 3000px; background: blue"></div><div id="red" style="background: red; width: 120px; height: 80px; margin: 50px"></div>
       <div style="height: 3000px; background: blue"></div>`,
    );
    const picture = await screenshot(shown.page, { format: 'png', target: '#red' }, NO_END);
    expect(picture).toMatchObject({ width: 120, height: 80 });
    expect(
      await coloursOf(shown, picture, [
        [0, 0],
        [1, 1],
        [0.5, 0.5],
      ]),
    ).toEqual([RED, RED, RED]);
  });

  test('can be one element that is larger than the window, and one in a frame of another site', async () => {
    const shown = await show('<div style="height: 1500px"></div>');
    shown.pages.route(
      '/frame',
      '<body style="background: blue"><div style="height: 900px"></div><div id="red" style="background: red; width: 90px; height: 60px"></div><div style="height: 900px"></div>',
    );
    await shown.read(
      `document.body.insertAdjacentHTML('beforeend', '<iframe src="${shown.pages.otherSite}/frame"></iframe><div id="big" style="background: red; height: 2500px; width: 100px">'); 0`,
    );
    await waitFor(shown.page, '#red', 20_000, NO_END);
    const inner = await screenshot(shown.page, { format: 'png', target: '#red' }, NO_END);
    expect(inner).toMatchObject({ width: 90, height: 60 });
    expect(
      await coloursOf(shown, inner, [
        [0.1, 0.1],
        [0.9, 0.9],
      ]),
    ).toEqual([RED, RED]);
    const big = await screenshot(shown.page, { format: 'png', target: '#big' }, NO_END);
    expect(big).toMatchObject({ width: 100, height: 2_500 });
    expect(
      await coloursOf(shown, big, [
        [0.5, 0.01],
        [0.5, 0.99],
      ]),
    ).toEqual([RED, RED]);
  });

  test('shows drawings on a canvas', async () => {
    const shown = await show(
      `<canvas id="c" width="50" height="50"></canvas><script>c.getContext('2d').fillStyle = 'red'; c.getContext('2d').fillRect(0, 0, 50, 50);</script>`,
    );
    const picture = await screenshot(shown.page, { format: 'png', target: '#c' }, NO_END);
    expect(await coloursOf(shown, picture, [[0.5, 0.5]])).toEqual([RED]);
  });

  test('does not need a tab that is in front', async () => {
    const shown = await show('<body style="background: red">');
    const other = await newPage();
    await other.session.send('Page.bringToFront');
    const picture = await screenshot(shown.page, { format: 'png' }, NO_END);
    expect(await coloursOf(shown, picture, [[0.5, 0.5]])).toEqual([RED]);
  });

  test('needs an element that is displayed', async () => {
    const { page } = await show('<p id="none" style="display: none">None</p>');
    const failing = (target: string) => screenshot(page, { format: 'png', target }, NO_END);
    await expect(failing('#none')).rejects.toThrow('"#none" is not displayed, so there is no picture of it');
    await expect(failing('#nope')).rejects.toThrow('element not found: #nope');
  });
});

test('a text is no picture', () => {
  expect(() => imageSize(Buffer.from('text, no picture'))).toThrow(RangeError);
});
