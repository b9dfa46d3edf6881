import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, connectStdio, startStdio, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

interface Place {
  readonly config: string;
  readonly env: Record<string, string>;
  readonly journal: string;
}

function newPlace(atEnd?: (end: () => void) => void): Place {
  const folder = temporaryFolder(atEnd);
  const journal = path.join(folder, 'journal');
  const workflows = { metrics: { jsonl: journal } };
  return {
    config: writeConfig({ enabledWorkflows: ['metrics', 'language'], workflows }, folder),
    env: { ...process.env, VIADUCT_HOME: path.join(folder, 'home') } as Record<string, string>,
    journal,
  };
}

/** A client whose results are checked against the output schemas of the tools. */
async function connect({ config, env }: Place): Promise<Client> {
  const client = new Client({ name: 'seed-client', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'stdio', '--config', config], env }),
  );
  await client.listTools();
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { content, structuredContent, isError } = (await client.callTool({ name, arguments: args })) as any;
  if (isError === true) return { error: content[0].text };
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  return structuredContent;
}

function journalOf({ journal }: Place): any[] {
  const texts = readdirSync(journal).map((name) => {
    expect(name).toMatch(/^\d{4}-\d\d-\d\d\.jsonl$/);
    return readFileSync(path.join(journal, name), 'utf8');
  });
  return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line));
}

describe('the calls of the seed, through one gateway', () => {
  let place: Place;
  let client: Client;
  const ends: (() => void)[] = [];

  beforeAll(async () => {
    place = newPlace((end) => ends.push(end));
    client = await connect(place);
  });
  afterAll(async () => {
    await client.close();
    for (const end of ends) end();
  });

  test.each([
    ['src/main.ts', 'typescript'],
    ['deploy/Dockerfile', 'dockerfile'],
    ['nowhere/at/all.kt', 'kotlin'],
    ['README', 'plaintext'],
  ])('lang_detect: %s is %s, and the file need not exist', async (file, language) => {
    expect(await call(client, 'lang_detect', { path: file })).toEqual({ language, path: file });
  });

  test('lang_list: 15 languages with id, name and extensions', async () => {
    const { languages } = await call(client, 'lang_list');
    expect(languages.map(({ id }: { id: string }) => id).join(', ')).toBe(
      'typescript, javascript, go, python, rust, java, php, ruby, html, css, json, yaml, markdown, sql, shell',
    );
    expect(languages[0]).toEqual({ id: 'typescript', name: 'TypeScript', extensions: ['.ts', '.tsx'] });
  });

  test('metrics_query: nothing was recorded yet', async () => {
    expect(await call(client, 'metrics_query')).toEqual({
      total: 0,
      by_type: [],
      by_repo: [],
      by_agent: [],
      events: [],
    });
  });

  test('metrics_record: the time is the server’s, whatever data says', async () => {
    const before = Date.now();
    const answer = await call(client, 'metrics_record', {
      type: 'security.scan',
      agent_id: 'agent-1',
      repo: 'go-ai',
      data: { timestamp: '1999-01-01T00:00:00Z', findings: [1, { deep: true }] },
    });
    expect(answer).toEqual({ success: true, timestamp: expect.stringMatching(RFC_3339) });
    expect(Date.parse(answer.timestamp)).toBeGreaterThanOrEqual(before);
    expect(await call(client, 'metrics_record', { type: 'build' })).toMatchObject({ success: true });
    await call(client, 'metrics_record', { type: 'build', agent_id: '', repo: 'go-ai' });
    expect(journalOf(place)).toEqual([
      {
        type: 'security.scan',
        timestamp: answer.timestamp,
        agent_id: 'agent-1',
        repo: 'go-ai',
        data: { timestamp: '1999-01-01T00:00:00Z', findings: [1, { deep: true }] },
      },
      { type: 'build', timestamp: expect.stringMatching(RFC_3339) },
      { type: 'build', timestamp: expect.stringMatching(RFC_3339), repo: 'go-ai' },
    ]);
  });

  test.each([undefined, '', '7d', '24h', '30m'])('metrics_query: since %s', async (since) => {
    expect(await call(client, 'metrics_query', { since })).toEqual({
      total: 3,
      by_type: [
        { key: 'build', count: 2 },
        { key: 'security.scan', count: 1 },
      ],
      by_repo: [{ key: 'go-ai', count: 2 }],
      by_agent: [{ key: 'agent-1', count: 1 }],
      events: [
        { type: 'build', timestamp: expect.stringMatching(RFC_3339), repo: 'go-ai' },
        { type: 'build', timestamp: expect.stringMatching(RFC_3339) },
        { type: 'security.scan', timestamp: expect.stringMatching(RFC_3339), agent_id: 'agent-1', repo: 'go-ai' },
      ],
    });
  });

  test.each([
    ['metrics_record', {}, 'type'],
    ['metrics_record', { type: '' }, 'type must not be empty'],
    ['metrics_record', { type: 5 }, 'type'],
    ['metrics_record', { type: 'x', data: [1] }, 'data'],
    ['metrics_query', { since: '5x' }, 'since: "5x" must be a positive whole number'],
    ['metrics_query', { since: '0d' }, 'since'],
    ['metrics_query', { since: '1w' }, 'since'],
    ['lang_detect', {}, 'path'],
  ])('%s refuses %j, and says why', async (name, args, why) => {
    expect(await call(client, name, args)).toEqual({ error: expect.stringContaining(why) });
  });

  test('metrics_record: what go-ai could not read again is refused', async () => {
    const data = { text: 'x'.repeat(1_100_000) };
    expect(await call(client, 'metrics_record', { type: 'x', data })).toEqual({
      error: expect.stringContaining('too large'),
    });
  });

  test('metrics_query: of many events that come at one time none is lost, and ten are shown', async () => {
    const records = Array.from({ length: 150 }, () =>
      call(client, 'metrics_record', { type: 'burst', data: { same: 1 } }),
    );
    const timestamps = (await Promise.all(records)).map(({ timestamp }) => timestamp as string);
    expect(new Set(timestamps).size).toBe(150);
    const { total, by_type, events } = await call(client, 'metrics_query', { since: '1h' });
    expect(total).toBe(153);
    expect(by_type[0]).toEqual({ key: 'burst', count: 150 });
    expect(events).toHaveLength(10);
    expect(journalOf(place).filter(({ type }) => type === 'burst')).toHaveLength(150);
  });

  test('every tool is annotated, and says what it answers', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['lang_detect', true],
      ['lang_list', true],
      ['metrics_record', false],
      ['metrics_query', true],
    ]);
    for (const { outputSchema } of tools) expect(outputSchema?.type).toBe('object');
  });
});

describe('viaduct metrics', () => {
  const LINE = '{"type":"build","timestamp":"2026-02-20T23:30:00.123456789Z","agent_id":"a","repo":"r"}';

  const commandsIn = ({ config, env }: Place) => {
    const run = (words: string[], more: NodeJS.ProcessEnv = {}) =>
      viaduct(['metrics', ...words, '--config', config], { ...env, ...more });
    const json = async (words: string[], more?: NodeJS.ProcessEnv) =>
      JSON.parse((await run([...words, '--json'], more)).stdout);
    return { run, json };
  };

  test('counts what agents have recorded, for people and for programs', async () => {
    const place = newPlace();
    const { run, json } = commandsIn(place);
    expect((await run([])).stdout).toContain('Nothing was recorded');
    const client = await connectStdio(place.config, { env: place.env });
    await client.call('metrics_record', { type: 'build', agent_id: 'agent-1', repo: 'go-ai' });
    await client.call('metrics_record', { type: 'evil\u001b[2J\nname' });
    const { stdout } = await run(['--since', '1h']);
    expect(stdout).toMatch(/2 events/);
    expect(stdout).toMatch(/By agent\n {2}agent-1 +1/);
    expect(stdout).not.toContain('\u001b');
    const summary = await json(['--since', '1h']);
    expect(summary).toMatchObject({ total: 2, by_repo: [{ key: 'go-ai', count: 1 }] });
    expect(summary.by_type).toHaveLength(2);
  });

  test('takes over what go-ai has recorded, and gives it back', async () => {
    const place = newPlace();
    const { run, json } = commandsIn(place);
    const core = temporaryFolder();
    const folder = path.join(core, '.core', 'ai', 'metrics');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, '2026-02-20.jsonl'), `${LINE}\nmalformed\n`);
    const report = { folder, files: 1, malformed: 1, malformedLines: ['2026-02-20.jsonl:2'] };
    expect(await json(['import'], { CORE_HOME: core })).toEqual({ ...report, imported: 1, known: 0 });
    expect(await json(['import', folder])).toEqual({ ...report, imported: 0, known: 1 });
    expect((await run(['import', folder])).stdout).toContain('2026-02-20.jsonl:2');
    // Days later, on the other side of the earth: no line comes twice.
    for (const TZ of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect(await json(['export', folder], { TZ })).toEqual({ folder, exported: 0, known: 1, files: 0 });
    }
    expect(await json(['export', folder, '--since', '1m'])).toMatchObject({ exported: 0, known: 0 });
    const elsewhere = path.join(core, 'new', 'folder');
    expect(await json(['export', elsewhere], { TZ: 'Pacific/Kiritimati' })).toMatchObject({ exported: 1, files: 1 });
    expect(readFileSync(path.join(elsewhere, '2026-02-21.jsonl'), 'utf8')).toBe(`${LINE}\n`);
  });

  test('says what it cannot do', async () => {
    const { run } = commandsIn(newPlace());
    const none = await run(['import', '/nowhere/at/all']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('/nowhere/at/all')]);
    const span = await run(['--since', '5x']);
    expect([span.code, span.stderr]).toEqual([2, expect.stringContaining('7d, 24h, 30m')]);
    expect((await run(['export', '--since', '0d'])).code).toBe(2);
    expect((await run(['else'])).code).toBe(2);
  });
});

test('an event is recorded also where its file cannot be written, and the log says so', async () => {
  const place = newPlace();
  writeFileSync(place.journal, 'a file where the folder should be');
  const { client, stderr } = startStdio(place.config, place.env);
  await client.initialize();
  expect(await client.call('metrics_record', { type: 'build' })).toMatchObject({
    structuredContent: { success: true },
  });
  expect(await client.call('metrics_query')).toMatchObject({ structuredContent: { total: 1 } });
  expect(stderr()).toContain('could not be written into the file of its day');
});

test('whole numbers of any size arrive in the file of the day, and leave it again, as they are', async () => {
  const place = newPlace();
  const { client } = startStdio(place.config, place.env);
  await client.initialize();
  const data = '{"ids":[9007199254740993,-18446744073709551615]}';
  await client.request('tools/call', `{"name":"metrics_record","arguments":{"type":"x","data":${data}}}`);
  const texts = readdirSync(place.journal).map((name) => readFileSync(path.join(place.journal, name), 'utf8'));
  expect(texts.join('')).toContain(`"data":${data}`);
  const elsewhere = temporaryFolder();
  await viaduct(['metrics', 'export', elsewhere, '--config', place.config], place.env);
  expect(readdirSync(elsewhere).map((name) => readFileSync(path.join(elsewhere, name), 'utf8'))).toEqual(texts);
});

test('arguments that turn out to be no JSON late in a long text are the client’s fault, not the gateway’s', async () => {
  const { config, env } = newPlace();
  const { client, stderr } = startStdio(config, env);
  await client.initialize();
  const text = `${'x'.repeat(100_000)}\\q`;
  for (const [tool, args] of [
    ['lang_detect', `{"path":"${text}"}`],
    ['metrics_record', `{"type":"x","data":{"text":"${text}"}}`],
  ]) {
    const answer = await client.request('tools/call', `{"name":"${tool}","arguments":${args}}`);
    expect(answer.text).toContain('Parse error: bad escape in a string');
  }
  expect(stderr()).not.toContain('something of the gateway itself failed');
});

test('a folder for the files of days that is none is a fault of the config', async () => {
  const config = writeConfig({ enabledWorkflows: ['metrics'], workflows: { metrics: { jsonl: 'relative/folder' } } });
  const { code, stdout, stderr } = await viaduct(['config', 'check', '--config', config]);
  expect(code).toBe(2);
  expect(`${stdout}${stderr}`).toContain('workflows.metrics.jsonl');
});
