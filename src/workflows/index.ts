import { checkpointWorkflow } from './checkpoint/manifest.ts';
import { codebaseWorkflow } from './codebase/manifest.ts';
import type { WorkflowDefinition } from './define.ts';
import { filesWorkflow } from './files/manifest.ts';
import { gatewayWorkflow } from './gateway/manifest.ts';
import { ideWorkflow } from './ide/manifest.ts';
import { languageWorkflow } from './language/manifest.ts';
import { liveWorkflow } from './live/manifest.ts';
import { metricsWorkflow } from './metrics/manifest.ts';
import { mlWorkflow } from './ml/manifest.ts';
import { processWorkflow } from './process/manifest.ts';
import { ragWorkflow } from './rag/manifest.ts';
import { tasksWorkflow } from './tasks/manifest.ts';
import { vscodeIde } from './vscode-ide/manifest.ts';
import { webviewWorkflow } from './webview/manifest.ts';
import { xcodeIde } from './xcode-ide/manifest.ts';

/** All workflows; `enabledWorkflows` in the config names those that are on. */
export const WORKFLOWS: readonly WorkflowDefinition[] = [
  gatewayWorkflow,
  checkpointWorkflow,
  codebaseWorkflow,
  filesWorkflow,
  processWorkflow,
  liveWorkflow,
  languageWorkflow,
  metricsWorkflow,
  tasksWorkflow,
  ragWorkflow,
  mlWorkflow,
  webviewWorkflow,
  ideWorkflow,
  xcodeIde,
  vscodeIde,
];
