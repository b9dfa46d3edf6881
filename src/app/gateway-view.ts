import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Config } from '../config/schema.ts';
import type { Provider } from '../core/provider.ts';
import type { UpstreamControl, UpstreamStatus } from '../core/provider-status.ts';
import type { GatewayReport, UpstreamReport } from '../workflows/define.ts';
import { WORKFLOWS } from '../workflows/index.ts';
import type { ExplainedUpstream, ExplainFacts } from './explain-tool.ts';
import type { GatewayStatus } from './gateway-status.ts';

/** What agents are told of the gateway: no process ids, no clients, nothing that upstreams printed. */
export function reportOf({ version, config, workflows, disabled, upstreams }: GatewayStatus): GatewayReport {
  return {
    version,
    config,
    workflows: [...workflows],
    disabled: [...disabled],
    upstreams: upstreams.map(upstreamReport),
  };
}

function upstreamReport(status: UpstreamStatus): UpstreamReport {
  const { key, prefix, state, since, counts } = status;
  const { reason = null, retryAt = null, lastError = null } = status;
  const { tools, prompts, resources } = counts;
  return { key, prefix, state, since, reason, retryAt, lastError, tools, prompts, resources };
}

/** What `explainTool` needs to know. */
export function explainFacts(
  catalogue: Catalogue,
  upstreams: readonly (Provider & UpstreamControl)[],
  config: Config,
): ExplainFacts {
  const listed = [...catalogue.routes('tool')].map(
    ([name, { provider, ownName }]) => [name, { kind: provider.kind, provider: provider.id, ownName }] as const,
  );
  return {
    listed: new Map(listed),
    upstreams: upstreams.map((upstream) => explained(upstream, config)),
    disabled: config.disabled.map(({ key, prefix }) => ({ key, prefix })),
    workflowsOff: WORKFLOWS.filter(({ name }) => !config.enabledWorkflows.includes(name)),
    rules: catalogue.namingRules(),
  };
}

function explained(upstream: Provider & UpstreamControl, config: Config): ExplainedUpstream {
  const { state, reason, listErrors } = upstream.status();
  return {
    key: upstream.id,
    prefix: upstream.prefix,
    state,
    reason,
    listErrors,
    globs: config.upstreams.find(({ key }) => key === upstream.id)?.tools,
    withheld: (upstream.withheld?.() ?? []).filter(({ kind }) => kind === 'tool'),
    acceptsUnlisted: (ownName) => upstream.acceptsUnlisted('tool', ownName),
  };
}
