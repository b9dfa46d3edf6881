import { describe, expect, test } from 'vitest';
import { addHints, hintsFor } from '../../../../../src/upstream/lists/entries/hints.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import { membersOf } from '../../../../../src/wire/lens.ts';

const READS = { readOnlyHint: true, destructiveHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false };
const DESTROYS = { readOnlyHint: false, destructiveHint: true };
const UNCLEAR = { readOnlyHint: false };

describe('what a name says', () => {
  test.each([
    ['XcodeRead', READS],
    ['XcodeLS', READS],
    ['XcodeGlob', READS],
    ['XcodeGrep', READS],
    ['XcodeListWindows', READS],
    ['XcodeListNavigatorIssues', READS],
    ['XcodeRefreshCodeIssuesInFile', READS],
    ['GetBuildLog', READS],
    ['GetTestList', READS],
    ['DocumentationSearch', READS],
    ['StringCatalogRead', READS],
    ['list_windows', READS],
    ['get', READS],
    ['GetHTMLPage', READS],
    ['XcodeMakeDir', ADDS],
    ['XcodeNewFile', ADDS],
    ['open_file', ADDS],
    ['XcodeWrite', DESTROYS],
    ['XcodeUpdate', DESTROYS],
    ['XcodeMV', DESTROYS],
    ['XcodeRM', DESTROYS],
    ['RunCodeSnippet', DESTROYS],
    ['ExecuteSnippet', DESTROYS],
    ['delete_all', DESTROYS],
    ['get_and_delete', DESTROYS],
    ['readOrWrite', DESTROYS],
    ['BuildProject', UNCLEAR],
    ['RunAllTests', UNCLEAR],
    ['RunSomeTests', UNCLEAR],
    ['RenderPreview', UNCLEAR],
    ['getaway', UNCLEAR],
    ['Xcode', UNCLEAR],
    ['XCODE_READ', READS],
    ['', UNCLEAR],
    ['日本', UNCLEAR],
    ['__proto__', UNCLEAR],
  ])('%s: %j', (name, hints) => expect(hintsFor(name)).toEqual(hints));
});

/** The tool after hints were added. */
function hinted(name: string, json: string): string {
  const text = Buffer.from(json);
  return toBuffer(Frame.of(text).splice(addHints(name, text, membersOf(text)))).toString();
}

describe('hints are added', () => {
  test.each([
    [
      'where there are no annotations',
      'XcodeRead',
      '{"name":"x" }',
      '{"name":"x","annotations":{"readOnlyHint":true,"destructiveHint":false} }',
    ],
    [
      'where they are empty',
      'XcodeRead',
      '{"annotations":{ },"name":"x"}',
      '{"annotations":{"readOnlyHint":true,"destructiveHint":false },"name":"x"}',
    ],
    [
      'before others',
      'XcodeMakeDir',
      '{"annotations":{"title":"é"}}',
      '{"annotations":{"readOnlyHint":false,"destructiveHint":false,"title":"é"}}',
    ],
    [
      'beside one that agrees',
      'XcodeWrite',
      '{"annotations":{"destructiveHint":true}}',
      '{"annotations":{"readOnlyHint":false,"destructiveHint":true}}',
    ],
    [
      'without one that the name does not say',
      'BuildProject',
      '{"name":"x"}',
      '{"name":"x","annotations":{"readOnlyHint":false}}',
    ],
  ])('%s', (_name, tool, json, expected) => expect(hinted(tool, json)).toBe(expected));
});

describe('what a tool says itself stands', () => {
  test.each([
    ['XcodeWrite', '{"annotations":{"readOnlyHint":true}}'],
    ['XcodeRead', '{"annotations":{"readOnlyHint":false}}'],
    ['XcodeWrite', '{"annotations":{"readOnlyHint":false,"destructiveHint":false}}'],
  ])('%s %s', (tool, json) => expect(hinted(tool, json)).toBe(json));

  test('a tool that says it destroys is never called read-only, whatever its name', () => {
    const json = '{"annotations":{"destructiveHint":true}}';
    const { annotations } = JSON.parse(hinted('GetAndPurge', json)) as { annotations: Record<string, unknown> };
    expect(annotations).toMatchObject({ destructiveHint: true });
    expect(annotations.readOnlyHint).not.toBe(true);
  });
});
