import { describe, expect, test } from 'vitest';
import { addEntry, removeEntry } from '../../../src/agents/gateway-entry.ts';

const ENTRY = { command: 'viaduct', args: ['stdio'] };
const OTHER_ENTRY = { command: 'viaduct', args: ['stdio', '--profile', 'work'] };

describe('an entry in TOML', () => {
  const OURS = '[mcp_servers.viaduct]\ncommand = "viaduct"\nargs = ["stdio"]\n';

  test('is a table at the end', () => {
    expect(addEntry('a = 1\n', 'toml', ENTRY)).toBe(`a = 1\n\n${OURS}`);
    expect(removeEntry(`a = 1\n\n${OURS}`, 'toml')).toBe('a = 1\n');
  });

  test('goes without the tables that others have put behind it, between the marks of older exports', () => {
    const theirs = '[mcp_servers.new]\ncommand = "new"\n';
    const text = `a = 1\n\n# viaduct:begin\n${OURS}\n${theirs}# viaduct:end\n`;
    expect(removeEntry(text, 'toml')).toBe(`a = 1\n\n${theirs}`);
    const again = addEntry(text, 'toml', OTHER_ENTRY);
    expect(again).toContain(theirs);
    expect(again).toContain('"work"');
    expect(again).not.toContain('# viaduct:');
  });

  test('is replaced where it stands', () => {
    const text = `${OURS}\n[tui]\ntheme = "x"\n`;
    expect(addEntry(text, 'toml', OTHER_ENTRY)).toBe(text.replace('"stdio"', '"stdio", "--profile", "work"'));
  });

  test('leaves comments in it', () => {
    const text = 'a = 1\n\n[mcp_servers.viaduct] # one\n# two\ncommand = "viaduct"\nargs = ["stdio"] # three\n';
    expect(removeEntry(text, 'toml')).toBe('a = 1\n\n# one\n# two\n# three\n');
  });

  test.each([
    '[mcp_servers.viaduct]\ncommand = "mine"\n',
    '[ mcp_servers . "viaduct" ]\n',
    '[mcp_servers.viaduct.env]\nA = "b"\n',
    'mcp_servers = { viaduct = {} }\n',
    'mcp_servers.viaduct.command = "x"\n',
    '[mcp_servers]\nother = {}\nviaduct = { command = "x" }\n',
    `${OURS}startup_timeout_sec = 20\n`,
    `${OURS}[mcp_servers.viaduct.tools.read_file]\napproval_mode = "approve"\n`,
  ])('is not changed where it is not ours alone: %s', (text) => {
    expect(() => addEntry(text, 'toml', OTHER_ENTRY)).toThrow('it has a server "viaduct" already, which is not as');
    expect(() => removeEntry(text, 'toml')).toThrow('its server "viaduct" is not as we write it');
  });

  test.each([
    'mcp_servers = { other = { command = "x" } }\n',
    'mcp_servers = 1\n',
    `a = """${'x'.repeat(1_000_000)}"""\n`,
  ])('is refused where there is no place for it: %.40s', (text) => {
    expect(() => addEntry(text, 'toml', ENTRY)).toThrow('edit it by hand');
  });

  test.each([
    'mcp_servers.viaduct = { command = "viaduct", args = ["stdio"] }\n',
    '[mcp_servers]\nviaduct.command = "viaduct"\nviaduct.args = ["stdio"]\n',
  ])('is refused where somebody has written it in another way: %j', (text) => {
    expect(addEntry(text, 'toml', ENTRY)).toBe(text);
    expect(() => addEntry(text, 'toml', OTHER_ENTRY)).toThrow('edit it by hand');
    expect(() => removeEntry(text, 'toml')).toThrow('edit it by hand');
  });
});

describe('an entry in JSON', () => {
  test('that goes leaves the line break that ends a comment before it', () => {
    const text =
      '{\n  "mcpServers": {\n    // ours, then theirs\n    "viaduct": { "command": "viaduct", "args": ["stdio"] }, "next": { "command": "next" }\n  }\n}\n';
    expect(removeEntry(text, 'mcpServers')).toBe(
      '{\n  "mcpServers": {\n    // ours, then theirs\n    "next": { "command": "next" }\n  }\n}\n',
    );
  });

  test('leaves comments in it', () => {
    const text =
      '{\n  "servers": {\n    "viaduct": { // mine\n      "command": "viaduct", "args": ["stdio"] }, "b": {} } }';
    expect(removeEntry(text, 'servers')).toBe('{\n  "servers": {\n    // mine\n    "b": {} } }');
    expect(addEntry(text, 'servers', OTHER_ENTRY)).toContain('// mine\n    "viaduct": {');
  });

  test('that stands twice is refused', () => {
    const text = '{"servers": {"viaduct": {"command": "mine"}, "viaduct": {"command": "viaduct", "args": ["stdio"]}}}';
    expect(() => removeEntry(text, 'servers')).toThrow('edit it by hand');
  });

  test.each([
    { command: 'docker', args: ['run', 'x', 'stdio'] },
    { command: 'viaduct', args: ['stdio'], env: { A: 'b' } },
    { url: 'https://example.com/mcp' },
  ])('is not changed where it is not ours alone: %j', (value) => {
    const text = JSON.stringify({ mcpServers: { viaduct: value } });
    expect(() => addEntry(text, 'mcpServers', ENTRY)).toThrow('not as we write it');
    expect(() => removeEntry(text, 'mcpServers')).toThrow('not as we write it');
  });

  test('keeps an empty list if it is told to', () => {
    const text = addEntry('{"mcpServers": {}}', 'mcpServers', ENTRY);
    expect(JSON.parse(removeEntry(text, 'mcpServers', { keepsList: true })!)).toEqual({ mcpServers: {} });
    expect(removeEntry(text, 'mcpServers')).toBeUndefined();
  });
});

describe.each(['toml', 'mcpServers'] as const)('the bytes around an entry in %s', (form) => {
  test.each([
    ['CRLF', form === 'toml' ? 'a = 1\r\nb = 2\r\n' : '{\r\n  "a": 1\r\n}\r\n'],
    ['CRLF and one line', form === 'toml' ? 'a = 1\r\n' : '{}\r\n'],
    ['a byte order mark', form === 'toml' ? '\uFEFFa = 1\n' : '\uFEFF{\n  "a": 1\n}\n'],
    ['a byte order mark and CRLF', form === 'toml' ? '\uFEFFa = 1\r\n' : '\uFEFF{\r\n  "a": 1\r\n}\r\n'],
    ['nothing but a byte order mark', '\uFEFF'],
    ['nothing but a line break', '\r\n'],
  ])('stay: %s', (_what, text) => {
    const primed = addEntry(text, form, ENTRY);
    expect(primed.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    if (text.includes('\r\n')) expect(primed.replaceAll('\r\n', '')).not.toContain('\n');
    if (text.includes('a')) expect(removeEntry(primed, form)).toBe(text);
  });
});
