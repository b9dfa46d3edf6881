import { describe, expect, test } from 'vitest';
import {
  hasIdeBridgeEntry,
  hasIdeBridgeHooks,
  withoutIdeBridgeEntry,
  withoutIdeBridgeHooks,
  withoutIdeBridgeText,
} from '../../../../../src/workflows/checkpoint/adapters/priming/ide-bridge.ts';

const MARK = '<!-- ide-bridge:priming -->';

/** Stands for its text: the same headings and the same words that matter. */
const TEXT = `# ide-bridge: keep the state

Call \`bridge.load_checkpoint\` first.

## Protocol

1. Then: \`bridge.save_checkpoint\`.
2. And: \`bridge.append_todo\`.

Hooks auto-save too.

## Arguments

- \`source_ide\`: your name.
`;

describe('the text of ide-bridge is taken out of a file', () => {
  test.each([
    ['alone', `${MARK}\n${TEXT}`, ''],
    ['in front of what was there', `${MARK}\n${TEXT}\n\n---\n\n# App\nUse tabs.\n`, '# App\nUse tabs.\n'],
    [
      'with a line of dashes of the user',
      `${MARK}\n${TEXT}\n\n---\n\n# App\n\n---\n\nMore.\n`,
      '# App\n\n---\n\nMore.\n',
    ],
    ['with what was added after it', `${MARK}\n${TEXT}\n## My rules\n\nUse tabs.\n`, '## My rules\n\nUse tabs.\n'],
    ['with a list that was added after it', `${MARK}\n${TEXT}\n- Use tabs.\n`, '- Use tabs.\n'],
    ['with dashes far behind it', `${MARK}\n${TEXT}\n# App\n\n---\n\nMore.\n`, '# App\n\n---\n\nMore.\n'],
    ['behind what was there', `# App\n\n${MARK}\n${TEXT}`, '# App\n\n'],
    [
      'in front of ours',
      `${MARK}\n${TEXT}\n<!-- viaduct:begin agents=cursor -->\nx\n<!-- viaduct:end -->\n`,
      '<!-- viaduct:begin agents=cursor -->\nx\n<!-- viaduct:end -->\n',
    ],
    ['with line ends of Windows', `${MARK}\n${TEXT}\n\n---\n\n# App\n`.replaceAll('\n', '\r\n'), '# App\r\n'],
    ['that is not there', '# App\nIt has a bridge.\n', '# App\nIt has a bridge.\n'],
  ])('%s', (_where, text, rest) => {
    expect(withoutIdeBridgeText(text)).toBe(rest);
  });
});

describe('its hooks', () => {
  const group = (...commands: string[]) => ({
    matcher: '',
    hooks: commands.map((command) => ({ type: 'command', command })),
  });
  const settings = (hooks: object) => JSON.stringify({ model: 'x', hooks }, null, 2);

  test('are taken out, and no others', () => {
    const mine = group('ide-bridge-like hook', 'my-hook');
    const text = settings({
      SessionStart: [group('ide-bridge hook load'), mine],
      PreCompact: [group('npx ide-bridge@0.1.0 hook save')],
      Stop: [group('/opt/bin/ide-bridge hook save', 'my-hook')],
    });
    expect(hasIdeBridgeHooks(text)).toBe(true);
    expect(JSON.parse(withoutIdeBridgeHooks(text))).toEqual({
      model: 'x',
      hooks: { SessionStart: [mine], Stop: [group('/opt/bin/ide-bridge hook save', 'my-hook')] },
    });
  });

  test('are in no settings without them, and in none that are no JSON', () => {
    expect(hasIdeBridgeHooks(settings({ Stop: [group('my-hook')], PreCompact: 'x' }))).toBe(false);
    expect(hasIdeBridgeHooks('{ ide-bridge hook load')).toBe(false);
  });
});

describe('its server', () => {
  const list = (servers: object) => JSON.stringify({ mcpServers: servers });

  test.each([
    [{ 'ide-bridge': { url: 'http://127.0.0.1:31415/mcp' } }, {}],
    [
      { bridge: { type: 'http', url: 'http://localhost:31425/mcp/' }, db: { command: 'db' } },
      { db: { command: 'db' } },
    ],
  ])('is taken out of %j', (servers, rest) => {
    const text = list(servers);
    expect(hasIdeBridgeEntry(text, 'mcpServers')).toBe(true);
    expect(JSON.parse(withoutIdeBridgeEntry(text, 'mcpServers')).mcpServers ?? {}).toEqual(rest);
  });

  test.each([
    { bridge: { command: 'bridge' } },
    { bridge: { url: 'https://bridge.example.com/mcp' } },
    { bridge: { url: 'http://127.0.0.1:3141/mcp' } },
    { viaduct: { url: 'http://127.0.0.1:31415/mcp' } },
  ])('is not %j', (servers) => {
    expect(withoutIdeBridgeEntry(list(servers), 'mcpServers')).toBe(list(servers));
  });
});
