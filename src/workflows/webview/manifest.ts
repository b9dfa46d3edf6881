import { defineWorkflow } from '../define.ts';
import { type WebviewOptions, webviewOptions } from './options.ts';

/** A browser for agents (seed 001, "Browser Automation"). */
export const webviewWorkflow = defineWorkflow<WebviewOptions>({
  name: 'webview',
  description:
    'Tools with which an agent uses a browser: opens pages, reads them, clicks, types, and takes screenshots',
  options: webviewOptions,
  prefixes: [],
  toolNamesBegin: ['webview_'],
  usesWorkspace: true,
  load: async () => (await import('./workflow.ts')).createWebview,
});
