// Starts a browser as a gateway does, and says its process: node --import tsx browse-until-killed.ts HOME BROWSER
import { launchBrowser } from '../../../src/browser/launch/launch-browser.ts';
import { Reaper } from '../../../src/process/reaper.ts';

const [, , home, file] = process.argv;
const sandbox = process.getuid?.() !== 0;
const env = process.env as Record<string, string>;
const signal = AbortSignal.timeout(60_000);
const { connection } = await launchBrowser({
  file: file!,
  env,
  home: home!,
  reaper: new Reaper(),
  headless: true,
  sandbox,
  signal,
});
const { processInfo } = await connection.root.send('SystemInfo.getProcessInfo');
console.log(processInfo.map(({ id }) => id).join(' '));
