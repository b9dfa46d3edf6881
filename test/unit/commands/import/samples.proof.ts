import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAgentText } from '../../../../src/agents/agent-text.ts';
import {
  ExportError,
  prepareExport,
  prepareUndo,
  writeExport,
  writeUndo,
} from '../../../../src/commands/export/export-gateway.ts';
import { isAdded, prepareImport, writeImport } from '../../../../src/commands/import/import-agent.ts';
import { agentCalled } from '../../../../src/commands/server-lists/agent-called.ts';
import { parseConfig } from '../../../../src/config/load.ts';
import type { UpstreamEntry } from '../../../../src/core/settings/upstream-entry.ts';
import { loadOptions } from '../../../../src/gateway/settings/load-settings.ts';
import { CLAUDE_CODE } from '../../../support/agent-samples/claude-code.ts';
import { CLAUDE_DESKTOP } from '../../../support/agent-samples/claude-desktop.ts';
import { CODEX } from '../../../support/agent-samples/codex.ts';
import { CURSOR } from '../../../support/agent-samples/cursor.ts';
import { type AgentSample, SAMPLE_VARIABLES, type SampleServer } from '../../../support/agent-samples/sample.ts';
import { VSCODE } from '../../../support/agent-samples/vscode.ts';
import { WINDSURF } from '../../../support/agent-samples/windsurf.ts';
import { ZED } from '../../../support/agent-samples/zed.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const SAMPLES: readonly (readonly [string, readonly AgentSample[]])[] = [
  ['claude-code', CLAUDE_CODE],
  ['claude-desktop', CLAUDE_DESKTOP],
  ['cursor', CURSOR],
  ['vscode', VSCODE],
  ['codex', CODEX],
  ['zed', ZED],
  ['windsurf', WINDSURF],
];

/** A user whose only agent has this sample. */
function setUp(agent: string, sample: AgentSample) {
  const [home, project] = [temporaryFolder(), temporaryFolder()];
  const place = (text: string): string =>
    text
      .replaceAll('<home>', home)
      .replaceAll('<projectName>', path.basename(project))
      .replaceAll('<project>', project);
  const file = place(sample.file);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, place(sample.text));
  for (const [name, text] of Object.entries(sample.files ?? {})) writeFileSync(path.join(project, name), text);
  const env = { HOME: home, VIADUCT_HOME: path.join(home, '.viaduct'), ...SAMPLE_VARIABLES };
  const config = path.join(project, 'viaduct.yaml');
  const request = { agent: agentCalled(agent), file: undefined, config, env, cwd: project, ownScript: undefined };
  const servers = JSON.parse(place(JSON.stringify(sample.servers))) as Record<string, SampleServer>;
  return { file, env, config, project, request, servers };
}

/** An entry of the config in the words of the samples. */
function meaningOf(
  entry: UpstreamEntry,
  { isDisabled, project }: { isDisabled: boolean; project: string },
): SampleServer {
  const { tools, timeouts } = entry;
  const kind: SampleServer =
    entry.command !== undefined
      ? { command: entry.command, args: entry.args, env: entry.env, cwd: entry.cwd }
      : { type: entry.type, url: entry.url!, headers: entry.headers! };
  return {
    ...(entry.type === 'stdio' ? { args: [], env: {}, cwd: project } : { headers: {} }),
    ...kind,
    disabled: isDisabled,
    tools: { allow: [...tools.allow], deny: [...tools.deny] },
    timeouts: { connectMs: timeouts.connectMs, callMs: timeouts.callMs },
  };
}

/** A server of a sample with everything that it leaves out. */
function whole(server: SampleServer, project: string): SampleServer {
  return {
    ...(server.command === undefined ? { type: 'http', headers: {} } : { args: [], env: {}, cwd: project }),
    disabled: false,
    ...server,
    tools: { allow: ['*'], deny: [], ...server.tools },
    timeouts: { connectMs: 30_000, callMs: 60_000, ...server.timeouts },
  };
}

describe.each(SAMPLES)('%s', (agent, samples) => {
  test('has 8 samples', () => {
    expect(samples).toHaveLength(8);
  });

  describe.each(samples.map((sample) => [sample.title, sample] as const))('%s', (_title, sample) => {
    test('means in our config what it means there, and a second import adds nothing', async () => {
      const { env, config, project, request, servers } = setUp(agent, sample);
      const prepared = await prepareImport({ ...request, keepSecrets: true });
      if (prepared.plan.entries.some(isAdded)) await writeImport(prepared, env);
      const { upstreams, disabled } = parseConfig(prepared.after, { ...loadOptions(env), path: config });
      const found = Object.fromEntries([
        ...upstreams.map((entry) => [entry.key, meaningOf(entry, { isDisabled: false, project })]),
        ...disabled.map((entry) => [entry.key, meaningOf(entry, { isDisabled: true, project })]),
      ]);
      const meant = Object.entries(servers);
      expect(found).toEqual(Object.fromEntries(meant.map(([key, server]) => [key, whole(server, project)])));
      const left = prepared.plan.entries.filter(({ obstacle }) => obstacle !== undefined);
      expect(left.map(({ source }) => source.name)).toEqual(sample.left ?? []);
      expect(existsSync(config)).toBe(meant.length > 0);
      const again = await prepareImport({ ...request, keepSecrets: true });
      expect(again.plan.entries.filter(isAdded)).toEqual([]);
    });

    test('brings no secret with it unless it is told to', async () => {
      const { request } = setUp(agent, sample);
      const { plan, after, diff } = await prepareImport({ ...request, keepSecrets: false });
      for (const secret of sample.secrets ?? []) expect(after + diff.join('\n')).not.toContain(secret);
      const kept = await prepareImport({ ...request, keepSecrets: true });
      for (const secret of sample.secrets ?? []) expect(kept.diff.join('\n')).not.toContain(secret);
      const secrets = plan.entries.flatMap((entry) => entry.secrets);
      // What is left out with its field comes with no variable.
      if (sample.secrets === undefined) expect(secrets).toEqual([]);
      for (const { variable } of secrets) expect(after).toContain(`\${${variable}}`);
    });

    test('has the gateway instead of its servers after an export, and is the same again after its undoing', async () => {
      const { file, env, config, project, request } = setUp(agent, sample);
      const imported = await prepareImport({ ...request, keepSecrets: true });
      await writeImport(imported, env);
      const scope = sample.file.startsWith('<project>') ? ('project' as const) : ('user' as const);
      const exporting = { agent: agentCalled(agent), scope, env, cwd: project };
      const adding = { entry: { command: 'viaduct', args: ['stdio'] }, configPath: config, ownScript: undefined };
      const before = readFileSync(file);
      if (sample.isByHand === true && agent === 'codex') {
        await expect(prepareExport(exporting, { ...adding, isReplacing: true })).rejects.toThrow(ExportError);
        expect(readFileSync(file)).toEqual(before);
      }
      const canReplace = sample.isByHand !== true;
      const prepared = await prepareExport(exporting, { ...adding, isReplacing: canReplace });
      await writeExport(prepared, env);
      if (canReplace) {
        const names = imported.plan.entries.filter(isAdded).map(({ source }) => source.name);
        const blocked = imported.plan.entries.filter((one) => one.value.disabled === true && !one.source.disabled);
        const kept = new Set(blocked.map(({ source }) => source.name));
        const removed = prepared.change.removed.map(({ path: keys }) => keys.at(-1));
        expect(removed).toEqual(names.filter((name) => !kept.has(name)));
      }
      const written = parseAgentText(readFileSync(prepared.file, 'utf8'), file);
      expect(JSON.stringify(written)).toContain('"viaduct"');
      const undone = await prepareUndo(exporting);
      await writeUndo(undone, env);
      expect(readFileSync(file)).toEqual(before);
    });
  });
});
