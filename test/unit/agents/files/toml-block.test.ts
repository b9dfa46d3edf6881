import { describe, expect, test } from 'vitest';
import { removeTable, setTable } from '../../../../src/agents/files/toml-block.ts';

const LINES = ['command = "viaduct"'];
const TABLE = 'mcp_servers.viaduct';

describe('a table of ours', () => {
  test('stands at the end, between markers, once', () => {
    const text = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n';
    const once = setTable(text, TABLE, LINES);
    expect(once).toBe(`${text}\n# viaduct:begin\n[mcp_servers.viaduct]\ncommand = "viaduct"\n# viaduct:end\n`);
    expect(setTable(once, TABLE, LINES)).toBe(once);
    expect(removeTable(once)).toBe(text);
  });

  test('begins a file that is new', () => {
    expect(removeTable(setTable('', TABLE, LINES))).toBe('');
  });

  test.each([
    '[mcp_servers.viaduct]\ncommand = "mine"\n',
    '[ mcp_servers . "viaduct" ]\n',
    '[mcp_servers.viaduct.env]\nA = "b"\n',
    'mcp_servers = { viaduct = {} }\n',
    'mcp_servers.viaduct.command = "x"\n',
    '[mcp_servers]\nother = {}\nviaduct = { command = "x" }\n',
  ])('is not written beside one of the user: %s', (text) => {
    expect(() => setTable(text, TABLE, LINES)).toThrow('it has [mcp_servers.viaduct] already');
  });
});
