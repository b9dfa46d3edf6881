import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readHookInput } from '../../../../../src/commands/checkpoint/agents/hook-input.ts';

const from = (text: string) => Readable.from([Buffer.from(text)]);

describe("a hook's input", () => {
  test('says where, and of which session', async () => {
    const text = JSON.stringify({ cwd: '/work/app', transcript_path: '/t.jsonl', hook_event_name: 'Stop' });
    expect(await readHookInput(from(text), {}, '/elsewhere')).toEqual({
      folder: '/work/app',
      transcript: '/t.jsonl',
      event: 'Stop',
    });
  });

  test("gives way to the project's folder, which does not move", async () => {
    const env = { CLAUDE_PROJECT_DIR: '/work' };
    expect((await readHookInput(from('{"cwd":"/work/app/src"}'), env, '/')).folder).toBe('/work');
  });

  test('may be missing', async () => {
    expect((await readHookInput(from(''), {}, '/here')).folder).toBe('/here');
  });

  test.each(['[]', '5', 'null', '{"cwd"'])('is refused when it is no object: %s', async (text) => {
    await expect(readHookInput(from(text), {}, '/')).rejects.toThrow('its input is');
  });
});
