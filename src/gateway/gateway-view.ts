import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import { publicName } from '../catalogue/names.ts';
import { ViewScope } from '../catalogue/view-scope.ts';
import type { Config } from '../config/schema.ts';
import type { Scope } from '../core/access/permissions.ts';
import type { ListSource, NamedProvider } from '../core/providers/provider.ts';
import type { StatusSource, UpstreamStatus } from '../core/providers/provider-status.ts';
import { isDown, lastWordsOf } from '../core/refusals/last-words.ts';
import { cleanText, cutText } from '../core/text/clean-text.ts';
import type { GatewayReport, UpstreamReport, Viewer } from '../workflows/define.ts';
import { WORKFLOWS } from '../workflows/index.ts';
import type { ExplainedUpstream, ExplainFacts } from './explain-tool.ts';
import type { GatewayStatus } from './gateway-status.ts';

/** An upstream as its status and its tools are shown. */
type SeenUpstream = NamedProvider & Pick<ListSource, 'withheld' | 'acceptsUnlisted'> & StatusSource;

/** The gateway's state, and how much of it a viewer may know. */
export interface Sight {
  readonly catalogue: CatalogueView;
  readonly upstreams: readonly SeenUpstream[];
  readonly scope: Scope;
  /**
   * True if the viewer may see what upstreams wrote to standard error while they served clients: only this user's own
   * programs may. Other clients see only what was written before the upstream was connected, which cannot contain a
   * call of another client.
   */
  readonly seesStderr: boolean;
}

/** Lines of standard error that agents are shown of an upstream. */
const SHOWN_STDERR = 5;
const MAX_LINE = 500;

/** Returns the report on the gateway that agents may see: no process ids, no clients, nothing outside the viewer's scope. */
export function reportOf(status: GatewayStatus, sight: Sight): GatewayReport {
  const { version, config, configNotices, workflows, disabled } = status;
  const { upstreams, scope } = sight;
  return {
    version,
    config,
    // The user decides whether a config is used, so agents are not told the command for it.
    configNotices: configNotices.map(({ path, message }) => `${path} ${message}`),
    workflows: workflows.filter((id) => scope.allowsProvider({ kind: 'workflow', id })),
    disabled: disabled.filter((id) => scope.allowsProvider({ kind: 'upstream', id })),
    upstreams: upstreams
      .filter((upstream) => scope.allowsProvider(upstream))
      .map((upstream) => upstreamReport(upstream.status(), toolCount(upstream, sight), sight)),
  };
}

/** Returns true if the viewer may know about a tool of a workflow. */
export function seesTool({ scope }: Sight, workflow: string, tool: string): boolean {
  return scope.allowsProvider({ kind: 'workflow', id: workflow }) && scope.allowsTool(tool);
}

/** A client that is connected. */
interface Connected {
  readonly host: { readonly catalogue: Pick<CatalogueView, 'scope'> };
  readonly principal?: { readonly id: string } | undefined;
}

/** Returns whether a viewer may know about all clients. */
export function seesEverything({ scope, principal }: Viewer): boolean {
  return principal === undefined && (scope === undefined || (scope instanceof ViewScope && scope.showsEverything));
}

/** Returns the number of clients that a viewer may know about: those with the same access that have proved to be the same. */
export function clientCount(clients: readonly Connected[], viewer: Viewer): number {
  if (seesEverything(viewer)) return clients.length;
  const isSame = ({ host, principal }: Connected) =>
    host.catalogue.scope === viewer.scope && (principal?.id || undefined) === viewer.principal;
  return clients.filter(isSame).length;
}

function upstreamReport(status: UpstreamStatus, tools: number, sight: Sight): UpstreamReport {
  const { key, prefix, state, since, counts } = status;
  const listErrors = status.listErrors.map((line) => cleanText(line));
  const { reason = null, retryAt = null, lastError = null } = status;
  const { prompts, resources } = counts;
  const stderr = stderrOf(status, sight).slice(-SHOWN_STDERR);
  return { key, prefix, state, since, reason, retryAt, lastError, tools, prompts, resources, listErrors, stderr };
}

/** Returns the last output on standard error of an upstream that is down, as far as the viewer may see it. */
function stderrOf(status: UpstreamStatus, { seesStderr }: Sight): string[] {
  if (!isDown(status)) return [];
  return (seesStderr ? status.stderr : status.startStderr).map((line) => cutText(cleanText(line), MAX_LINE));
}

function toolCount(upstream: NamedProvider, { catalogue, scope }: Sight): number {
  const routes = [...catalogue.routes('tool')];
  return routes.filter(([name, { provider }]) => provider === upstream && scope.allowsTool(name)).length;
}

/** Returns the facts that `explainTool` needs; what the viewer may not see is left out. */
export function explainFacts(sight: Sight, config: Config): ExplainFacts {
  const { catalogue, upstreams, scope } = sight;
  const listed = [...catalogue.routes('tool')]
    .filter(([name, { provider }]) => scope.allowsProvider(provider) && scope.allowsTool(name))
    .map(([name, { provider, ownName }]) => [name, { kind: provider.kind, provider: provider.id, ownName }] as const);
  const rules = catalogue.namingRules();
  const isSeen = ({ prefix }: NamedProvider, ownName: string) => scope.allowsTool(publicName(prefix, ownName, rules));
  return {
    listed: new Map(listed),
    upstreams: upstreams
      .filter((upstream) => scope.allowsProvider(upstream))
      .map((upstream) => explained(upstream, { config, sight, isSeen: (ownName) => isSeen(upstream, ownName) })),
    disabled: [...config.disabled, ...config.broken.filter(({ isDisabled }) => isDisabled)]
      .filter(({ key }) => scope.allowsProvider({ kind: 'upstream', id: key }))
      .map(({ key, prefix }) => ({ key, prefix })),
    workflowsOff: WORKFLOWS.filter(
      ({ name }) => !config.enabledWorkflows.includes(name) && scope.allowsProvider({ kind: 'workflow', id: name }),
    ),
    rules,
  };
}

function explained(
  upstream: SeenUpstream,
  {
    config,
    sight,
    isSeen,
  }: { readonly config: Config; readonly sight: Sight; readonly isSeen: (ownName: string) => boolean },
): ExplainedUpstream {
  const status = upstream.status();
  const { state, reason, listErrors, sharing } = status;
  return {
    key: upstream.id,
    prefix: upstream.prefix,
    state,
    reason,
    listErrors,
    schemaFaults: status.schemaFaults.filter(({ tool }) => isSeen(tool)),
    lastWords: lastWordsOf(stderrOf(status, sight)),
    ...(sharing?.asks === true && { sharing: sharing.detail }),
    globs: config.upstreams.find(({ key }) => key === upstream.id)?.tools,
    withheld: (upstream.withheld?.() ?? []).filter(({ kind, name }) => kind === 'tool' && isSeen(name)),
    acceptsUnlisted: (ownName) => isSeen(ownName) && upstream.acceptsUnlisted('tool', ownName),
  };
}
