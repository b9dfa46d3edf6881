import type { Agent } from './agent.ts';
import { antigravity } from './known/antigravity.ts';
import { claudeCode } from './known/claude-code.ts';
import { claudeDesktop } from './known/claude-desktop.ts';
import { codex } from './known/codex.ts';
import { cursor } from './known/cursor.ts';
import { generic } from './known/generic.ts';
import { kiro } from './known/kiro.ts';
import { vscode } from './known/vscode.ts';
import { windsurf } from './known/windsurf.ts';
import { zed } from './known/zed.ts';

/** All agents that Viaduct knows, in the order in which commands list them. */
export const KNOWN_AGENTS: readonly Agent[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  kiro,
  antigravity,
  vscode,
  codex,
  zed,
  windsurf,
  generic,
];
