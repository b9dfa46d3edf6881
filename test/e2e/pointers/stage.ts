import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { fixture, freshHome, linesOf, openStdio, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { type ClientEra, type Talker, talk } from './talker.ts';

export type Label = 'a' | 'b';

export interface StageOptions {
  readonly clientEra: ClientEra;
  readonly upstreamEra: 'legacy' | '2026-07-28';
  /** The upstream that lists its uris first. */
  readonly first?: Label;
  readonly flags?: readonly string[];
  readonly capabilities?: object;
  /** Both are there from the start, and the client waits for them. */
  readonly isTogether?: boolean;
}

/** Two upstreams that share every uri, behind a gateway with one client. */
export interface Stage {
  readonly client: Talker;
  readonly env: NodeJS.ProcessEnv;
  readonly config: string;
  /** What an upstream has seen. */
  readonly seen: (label: Label) => string[];
  /** Kills an upstream; resolves when it has listed again. */
  readonly restart: (label: Label) => Promise<void>;
}

/** The second upstream answers nothing before the lists of the first one are there. */
export async function setStage({
  clientEra,
  upstreamEra,
  first = 'a',
  flags = [],
  capabilities,
  isTogether = false,
}: StageOptions): Promise<Stage> {
  const folder = temporaryFolder();
  const gate = path.join(folder, 'gate');
  const log = (label: Label) => path.join(folder, `${label}.log`);
  const entry = (label: Label) => ({
    ...fixture(
      'pointers',
      `--label=${label}`,
      `--era=${upstreamEra === 'legacy' ? 'legacy' : 'modern'}`,
      `--log=${log(label)}`,
      ...(label === first || isTogether ? [] : [`--gate=${gate}`]),
      ...flags,
    ),
    era: upstreamEra,
  });
  const config = writeConfig({
    upstreams: { a: entry('a'), b: entry('b') },
    lists: { graceMs: isTogether ? 20_000 : 0 },
  });
  const env = freshHome();
  const client = await talk(clientEra, await openStdio(config, env), capabilities);
  const listed = async () => (await client.request('resources/list')).result.resources.length;
  if (!isTogether) await expect.poll(listed).toBe(8);
  writeFileSync(gate, '');
  await expect.poll(listed).toBe(16);
  await expect
    .poll(async () => (await client.request('resources/templates/list')).result.resourceTemplates.length)
    .toBe(6);
  return {
    client,
    env,
    config,
    seen: (label) => linesOf(log(label)),
    async restart(label) {
      const starts = () => linesOf(log(label)).filter((line) => line.startsWith('pid '));
      const before = starts();
      process.kill(Number(before.at(-1)!.slice(4)));
      await expect.poll(() => starts().length).toBeGreaterThan(before.length);
      await expect
        .poll(async () => (await client.call(`${label}_only_${label}`)).result?.content?.[0].text)
        .toBe(`${label} only`);
    },
  };
}

export const textsOf = (answer: any): string[] => answer.result.contents.map(({ text }: any) => text);
