import { spawn } from 'node:child_process';
import path from 'node:path';
import { onLines } from '../../test/support/lines.ts';
import { endChild } from '../../test/support/processes.ts';
import type { TransportName } from '../../test/support/transports.ts';
import type { Entry, Scene } from './scene.ts';

/** Starts a fixture server that can be reached in all ways, and returns its config entry. It ends with the scene. */
export async function listening(
  scene: Scene,
  name: string,
  over: Exclude<TransportName, 'stdio'> | 'http-json',
  args: readonly string[] = [],
): Promise<Entry> {
  const at = over === 'unix' ? path.join(scene.folder, 'sock') : '0';
  const entry = scene.fixture(name, [...args, `--over=${over}`, `--at=${at}`]);
  const { command, args: words } = entry as { command: string; args: string[] };
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  scene.onClose(() => endChild(child));
  const line = await new Promise<string>((resolve) => onLines(child.stdout, resolve));
  return { url: line.replace('listening on ', ''), ...(over === 'sse' && { type: 'sse' }) };
}
