import { ConfigError } from '../../config/findings/config-error.ts';
import { MISSING } from '../../config/source/missing-config.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { loadSettings, type Settings } from '../../gateway/settings/load-settings.ts';
import { homeFolder } from '../../gateway/settings/paths.ts';
import { REQUIRED_NODE } from '../../gateway/version.ts';
import { LoginPath } from '../../process/login-path.ts';
import { checkAccess } from './checks/access-check.ts';
import { checkBrowser } from './checks/browser-check.ts';
import type { Check } from './checks/check.ts';
import { checkGateway, checkPort, findGateways, type Gateways } from './checks/daemon-checks.ts';
import { checkDatabase } from './checks/database-check.ts';
import { checkDocuments } from './checks/documents-check.ts';
import { checkConfigMode, checkHome, checkLogFile } from './checks/file-checks.ts';
import { checkLeftovers } from './checks/leftovers-check.ts';
import { checkDisk, checkLoginPath, checkNode, checkXcode } from './checks/system-checks.ts';
import { checkTcp } from './checks/tcp-check.ts';
import { checkUpstreams } from './checks/upstream-checks.ts';

export interface DoctorOptions {
  /** Value of `--config`. */
  readonly config: string | undefined;
  readonly env: Environment;
  /** Ends the upstreams that were started, and with them the examination. */
  readonly signal: AbortSignal;
}

/**
 * Looks at everything that the gateway needs, and tries each upstream once. Changes no file, unless tokens of a login have to be
 * renewed.
 */
export async function examine({ config: flag, env, signal }: DoctorOptions): Promise<Check[]> {
  const home = homeFolder(env);
  const loginPath = new LoginPath(env);
  const { settings, check: configCheck } = await loadChecked(flag, env);
  const homeCheck = await checkHome(home);
  const gateways = await findGateways(home, settings?.configPath);
  const isXcodeWanted = settings?.config.enabledWorkflows.includes('xcode-ide') ?? false;
  const [disk, path, xcode, ofConfig] = await Promise.all([
    checkDisk(home),
    checkLoginPath(env, loginPath),
    checkXcode(env, isXcodeWanted),
    settings === undefined ? [] : checkWithConfig(settings, { env, gateways, home: homeCheck }),
  ]);
  const upstreams =
    settings === undefined || homeCheck.mark === 'fail'
      ? []
      : await checkUpstreams({ settings, env, loginPath, signal });
  const node = checkNode(process.versions.node, REQUIRED_NODE);
  return [node, configCheck, ...checkFolderConfigs(settings), homeCheck, disk, path, xcode, ...ofConfig, ...upstreams];
}

async function loadChecked(
  flag: string | undefined,
  env: Environment,
): Promise<{ readonly settings?: Settings; readonly check: Check }> {
  const name = 'config';
  try {
    const settings = await loadSettings(flag, env, 'silent');
    const { upstreams, broken, enabledWorkflows } = settings.config;
    const holds = `${upstreams.length} upstreams, workflows: ${enabledWorkflows.join(', ') || 'none'}`;
    const text = `${settings.configPath} (${holds})`;
    if (broken.length === 0) return { settings, check: { name, mark: 'ok', text } };
    const faulty = `entries with a fault: ${broken.map(({ key }) => key).join(', ')}`;
    return { settings, check: { name, mark: 'warn', text: `${text}; ${faulty}`, fix: 'viaduct config check' } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { check: { name, mark: 'fail', ...describeConfigError(error) } };
  }
}

function describeConfigError(error: ConfigError): Pick<Check, 'text' | 'fix' | 'lines'> {
  const isMissing = error.issues[0]?.message === MISSING;
  if (isMissing) return { text: `${error.path}: there is no config file`, fix: 'viaduct init' };
  const fix = error.issues[0]?.fix ?? 'correct what is named here, then: viaduct config check';
  return { text: error.message, fix, lines: error.format().split('\n') };
}

/** Configs in the working folder that are not used. */
function checkFolderConfigs(settings: Settings | undefined): Check[] {
  const notices = settings?.notices.all() ?? [];
  return notices.map(({ path, message, fix }) => ({
    name: 'folder config',
    mark: 'warn',
    text: `${path} ${message}`,
    fix,
  }));
}

async function checkWithConfig(
  { config, configPath, home: folder }: Settings,
  { env, gateways, home }: { readonly env: Environment; readonly gateways: Gateways; readonly home: Check },
): Promise<Check[]> {
  const { host, port } = config.server;
  const checks = await Promise.all([
    checkConfigMode(configPath),
    ...(config.log.file === undefined ? [] : [checkLogFile(config.log.file)]),
    checkPort(host, port, gateways),
    checkLeftovers(config.upstreams, gateways),
    checkDatabase(folder, config.database),
  ]);
  const skipped: Check[] =
    home.mark === 'fail' ? [{ name: 'upstreams', mark: 'skipped', text: 'fix the home folder first' }] : [];
  const documents = config.enabledWorkflows.includes('rag') ? [checkDocuments()] : [];
  const browser = config.enabledWorkflows.includes('webview') ? [await checkBrowser(config.workflows.webview)] : [];
  const tcp = await checkTcp(config.server, env, gateways);
  const access = [...tcp, ...checkAccess(config.server)];
  return [...checks, ...documents, ...browser, ...access, ...checkGateway(gateways), ...skipped];
}
