import { describe, expect, test } from 'vitest';
import { FileEditError } from '../../../../src/agents/files/text-edits.ts';
import { takeTables } from '../../../../src/agents/files/toml-edit.ts';

const take = (text: string, name = 'x') => takeTables(text, ['mcp_servers', name]);

describe('the tables of a server', () => {
  test('go with those below them; all else stays', () => {
    const [before, own, after] = [
      '# mine\nmodel = "m"\n\n[mcp_servers.y]\ncommand = "y"\n\n',
      '[mcp_servers.x]\ncommand = "x" # why\nargs = [\n  "[a]",\n]\n\n[mcp_servers.x.env]\nA = "b"\n\n',
      '# of the last one\n[tui]\ntheme = "t"\n',
    ];
    expect(take(before + own + after)).toEqual({ rest: before + after, taken: own });
  });

  test('may stand apart, and be called in quotes', () => {
    const { rest, taken } = take('[mcp_servers.x]\na = 1\n[z]\n[ mcp_servers . "x" . env ]\nb = 2\n[[list]]\nc = 3\n');
    expect(rest).toBe('[z]\n[[list]]\nc = 3\n');
    expect(taken).toBe('[mcp_servers.x]\na = 1\n[ mcp_servers . "x" . env ]\nb = 2\n');
  });

  test('are not begun inside a text over several lines', () => {
    const text = '[a]\nb = """\n[mcp_servers.x]\nc = 1\n"""\n';
    expect(take(`${text}[mcp_servers.x]\nd = 1\n`).rest).toBe(text);
  });

  test.each([
    ['keys with dots', 'mcp_servers.x.command = "x"\n'],
    ['a table on one line', '[mcp_servers]\nx = { command = "x" }\n'],
    ['no TOML', '[mcp_servers.x\n'],
  ])('are refused where they are written as %s', (_what, text) => {
    expect(() => take(text)).toThrow(FileEditError);
  });
});
