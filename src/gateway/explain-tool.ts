import {
  hasHashTail,
  type NamingRules,
  ownerOf,
  plainName,
  publicName,
  renameReason,
  withoutPrefix,
} from '../catalogue/names.ts';
import { MAX_NAME_LENGTH, nameFilter } from '../core/access/name-filter.ts';
import type { WithheldEntry } from '../core/providers/provider.ts';
import type { ToolSchemaFault } from '../core/providers/provider-status.ts';
import type { ExplanationCause, ToolExplanation } from '../core/providers/tool-explanation.ts';
import { nearestNames } from '../core/text/nearest-names.ts';
import { shellWord } from '../core/text/shell-word.ts';
import { describeState, fixForState } from './explain-state.ts';

/** One upstream, as far as its tools are concerned. */
export interface ExplainedUpstream {
  readonly key: string;
  readonly prefix: string;
  readonly state: string;
  readonly reason?: string | undefined;
  /** The errors of its last list of tools, if that could not be read to its end. */
  readonly listErrors: readonly string[];
  /** Says which clients share a process, once the upstream has asked a client something. */
  readonly sharing?: string | undefined;
  /** The globs of its entry; absent for an upstream that a workflow brings along. */
  readonly globs?: { readonly allow: readonly string[]; readonly deny: readonly string[] } | undefined;
  /** The places where schemas of its tools are not valid. */
  readonly schemaFaults: readonly ToolSchemaFault[];
  /** Its last output on standard error if it is down: one or two sentences, or empty. */
  readonly lastWords: string;
  /** Tools that it has and clients do not get. */
  readonly withheld: readonly Omit<WithheldEntry, 'kind'>[];
  /** Returns true if a call of a tool that it does not list would be forwarded. */
  acceptsUnlisted(ownName: string): boolean;
}

export interface ListedTool {
  readonly kind: 'upstream' | 'workflow';
  /** Key of the upstream or name of the workflow. */
  readonly provider: string;
  readonly ownName: string;
}

/** The facts about all tools at one moment. */
export interface ExplainFacts {
  /** The listed tools, by public name. */
  readonly listed: ReadonlyMap<string, ListedTool>;
  readonly upstreams: readonly ExplainedUpstream[];
  readonly disabled: readonly { readonly key: string; readonly prefix: string }[];
  /** Workflows that are not on, with what the names of their tools begin with. */
  readonly workflowsOff: readonly { readonly name: string; readonly toolNamesBegin: readonly string[] }[];
  readonly rules: NamingRules;
}

/** Says whether clients see a tool, and what keeps them from it. `tool` is a public name or an upstream's own name. */
export function explainTool(tool: string, facts: ExplainFacts): ToolExplanation {
  return (
    explainListed(tool, facts) ??
    explainWithheld(tool, facts) ??
    explainOwner(tool, facts) ??
    explainWorkflow(tool, facts) ??
    explainUnknown(tool, facts)
  );
}

type Answer = Pick<ToolExplanation, 'detail'> & Partial<Omit<ToolExplanation, 'tool' | 'visible' | 'cause'>>;

function answer(tool: string, cause: ExplanationCause, rest: Answer): ToolExplanation {
  return {
    tool,
    visible: cause === 'listed',
    cause,
    fix: null,
    publicName: null,
    provider: null,
    similar: [],
    ...rest,
  };
}

function explainListed(tool: string, facts: ExplainFacts): ToolExplanation | undefined {
  const { listed, upstreams, rules } = facts;
  const names = publicNamesOf(tool, facts);
  const [name] = names;
  if (name === undefined) return undefined;
  const { kind, provider, ownName } = listed.get(name)!;
  // A workflow and the upstream that it brings along may have one name.
  const upstream = kind === 'upstream' ? upstreams.find(({ key }) => key === provider) : undefined;
  const owner = upstream === undefined ? `the workflow ${provider}` : `the upstream ${provider}`;
  const sentences = [`Clients see it as ${name}: tool ${quoted(ownName)} of ${owner}.`];
  if (upstream !== undefined)
    sentences.push(
      ...renaming(upstream, ownName, rules),
      ...reservations(upstream),
      ...sharing(upstream),
      ...schemaSentences(upstream, ownName),
    );
  return answer(tool, 'listed', {
    detail: sentences.join(' '),
    fix: upstream === undefined ? null : fixForListed(upstream, ownName),
    publicName: name,
    provider,
    similar: names.slice(1),
  });
}

/**
 * Returns the public names of a tool that is given by public name, by `<prefix>_<name>` although its public name
 * differs, or by own name.
 */
function publicNamesOf(tool: string, { listed, upstreams }: ExplainFacts): string[] {
  if (listed.has(tool)) return [tool];
  const prefixes = new Map(upstreams.map(({ key, prefix }) => [key, prefix]));
  const isPlain = ({ provider, ownName }: ListedTool): boolean =>
    plainName(prefixes.get(provider) ?? '', ownName) === tool;
  const all = [...listed];
  const renamed = all.filter(([, entry]) => isPlain(entry));
  const found = renamed.length > 0 ? renamed : all.filter(([, { ownName }]) => ownName === tool);
  return found.map(([name]) => name);
}

function renaming({ prefix }: ExplainedUpstream, ownName: string, rules: NamingRules): string[] {
  const plain = quoted(plainName(prefix, ownName));
  switch (renameReason(prefix, ownName, rules)) {
    case undefined:
      return [];
    case 'too-long':
      return [`${plain} has more than ${rules.maxLength} characters (names.maxLength), so its end is a hash.`];
    case 'illegal':
      return [`${plain} has characters that clients refuse in names, so they were replaced and a hash added.`];
    case 'reserved':
      return [`${plain} is the name of a tool of the gateway itself, so a hash was added.`];
    case 'hash-like':
      return [`${plain} looks like a name with a generated hash, so another hash was added.`];
    case 'foreign':
      return [`${plain} begins with the prefix of another upstream, so a hash was added.`];
  }
}

function reservations(upstream: ExplainedUpstream): string[] {
  if (upstream.state === 'ready') return listFaults(upstream);
  return [`It is listed from an earlier sync: ${describeState(upstream)}.`, ...lastWords(upstream)];
}

function listFaults({ listErrors }: ExplainedUpstream): string[] {
  return listErrors.length === 0 ? [] : [`Its lists had faults: ${listErrors.join('; ')}.`];
}

function lastWords({ lastWords }: ExplainedUpstream): string[] {
  return lastWords === '' ? [] : [`${lastWords}.`];
}

function schemaSentences(upstream: ExplainedUpstream, ownName: string): string[] {
  const faults = faultsOf(upstream, ownName).map(({ path, fault }) => `${path} ${fault}`);
  return faults.length === 0
    ? []
    : [`Its schema is not valid JSON Schema, so some clients or models may refuse it: ${faults.join('; ')}.`];
}

function faultsOf({ schemaFaults }: ExplainedUpstream, ownName: string): readonly ToolSchemaFault[] {
  return schemaFaults.filter(({ tool }) => tool === ownName);
}

function fixForListed(upstream: ExplainedUpstream, ownName: string): string | null {
  // A call starts it: there is nothing to mend.
  const isAtRest = upstream.state === 'idle' && upstream.reason !== undefined;
  if (upstream.state !== 'ready' && !isAtRest) return fixForState(upstream);
  if (faultsOf(upstream, ownName).length === 0) return null;
  return `its server must fix the schema; to hide the tool until then, add ${quoted(ownName)} to upstreams.${upstream.key}.tools.deny`;
}

function sharing({ key, sharing: detail }: ExplainedUpstream): string[] {
  return detail === undefined ? [] : [`Of ${key}, ${detail}.`];
}

function explainWithheld(tool: string, { upstreams, rules }: ExplainFacts): ToolExplanation | undefined {
  const found = upstreams.flatMap((upstream) =>
    upstream.withheld
      .filter(({ name }) => [name, plainName(upstream.prefix, name)].includes(tool) || isPublic(name, upstream))
      .map((entry) => ({ upstream, entry })),
  );
  function isPublic(name: string, { prefix }: ExplainedUpstream): boolean {
    return publicName(prefix, name, rules) === tool;
  }
  // The full name says which upstream is meant; an own name may be that of several.
  const [first] = found.sort((a, b) => Number(a.entry.name === tool) - Number(b.entry.name === tool));
  return first === undefined ? undefined : withheldAnswer(tool, first.upstream, first.entry);
}

function withheldAnswer(
  tool: string,
  upstream: ExplainedUpstream,
  { name, reason, detail }: Omit<WithheldEntry, 'kind'>,
): ToolExplanation {
  const { key } = upstream;
  const words = `${key} ${shellWord(name)}`;
  switch (reason) {
    case 'filtered':
      return filteredAnswer(tool, upstream, name) ?? answer(tool, 'filtered', { detail, provider: key });
    case 'unusable':
      return answer(tool, 'unusable', {
        detail: `The upstream ${key} lists ${quoted(name)}, but not as clients accept it: ${detail}.`,
        fix: `nothing in Viaduct: its server must fix the entry. After you update the server: viaduct sync ${key}`,
        provider: key,
      });
    case 'pinned':
      return answer(tool, 'pinned', {
        detail: `The tool ${quoted(name)} of the upstream ${key} is not as it was approved: ${detail}.`,
        fix: `viaduct pins diff ${words} shows what changed; viaduct pins accept ${words} approves it`,
        provider: key,
      });
  }
}

/** `undefined` if the globs let the name pass. */
function filteredAnswer(tool: string, upstream: ExplainedUpstream, ownName: string): ToolExplanation | undefined {
  const { key, globs } = upstream;
  if (globs === undefined || nameFilter(globs)(ownName)) return undefined;
  const path = `upstreams.${key}.tools`;
  if (ownName.length > MAX_NAME_LENGTH) {
    return answer(tool, 'filtered', {
      detail: `The name of this tool of the upstream ${key} has ${ownName.length} characters. Globs are compared with names of at most ${MAX_NAME_LENGTH} characters: ${path} hides all longer ones.`,
      fix: `leave out ${path} in the config, so that no globs apply`,
      provider: key,
    });
  }
  const denying = globs.deny.findIndex((glob) => nameFilter({ allow: [glob], deny: [] })(ownName));
  if (denying === -1) {
    return answer(tool, 'filtered', {
      detail: `No glob of ${path}.allow (${globs.allow.map(quoted).join(', ') || 'an empty list'}) lets ${quoted(ownName)} pass.`,
      fix: `add ${quoted(ownName)} to ${path}.allow in the config`,
      provider: key,
    });
  }
  return answer(tool, 'filtered', {
    detail: `${path}.deny[${denying}], ${quoted(globs.deny[denying]!)}, hides the tool ${quoted(ownName)}.`,
    fix: `remove or narrow ${path}.deny[${denying}] in the config`,
    provider: key,
  });
}

/** Returns the upstream, running or disabled, to which names that begin so belong. */
function explainOwner(tool: string, facts: ExplainFacts): ToolExplanation | undefined {
  const owner = ownerOf(tool, facts.upstreams);
  const disabled = ownerOf(tool, facts.disabled);
  const isDisabled = disabled !== undefined && (disabled.prefix !== '' || owner === undefined);
  if (isDisabled && (owner === undefined || disabled.prefix.length > owner.prefix.length)) {
    return answer(tool, 'upstream-disabled', {
      detail: `Its name belongs to the upstream ${disabled.key}, whose entry is switched off.`,
      fix: `remove "disabled: true" from upstreams.${disabled.key} in the config`,
      provider: disabled.key,
    });
  }
  if (owner === undefined || (owner.prefix === '' && owner.state === 'ready')) return undefined;
  const ownName = withoutPrefix(owner, tool);
  return filteredAnswer(tool, owner, ownName) ?? absentAnswer(tool, owner, ownName, facts);
}

function absentAnswer(
  tool: string,
  upstream: ExplainedUpstream,
  ownName: string,
  facts: ExplainFacts,
): ToolExplanation {
  const { key } = upstream;
  if (upstream.state !== 'ready') {
    return answer(tool, 'upstream-not-ready', {
      detail: [`Its name belongs to the upstream ${key}, and ${describeState(upstream)}.`, ...lastWords(upstream)].join(
        ' ',
      ),
      fix: fixForState(upstream),
      provider: key,
    });
  }
  const similar = similarTo(tool, facts);
  const sentences = [`The upstream ${key} is ready and lists no tool ${quoted(ownName)}.`, ...listFaults(upstream)];
  if (!hasHashTail(tool) && upstream.acceptsUnlisted(ownName)) {
    sentences.push('A call of it would be forwarded all the same, in case the upstream knows it unlisted.');
  }
  return answer(tool, 'unknown', {
    detail: sentences.join(' '),
    fix: similar.length > 0 ? `use ${similar[0]}` : `viaduct tools --upstream ${key} lists what there is`,
    provider: key,
    similar,
  });
}

function explainWorkflow(tool: string, { workflowsOff }: ExplainFacts): ToolExplanation | undefined {
  const workflow = workflowsOff.find(({ toolNamesBegin }) => toolNamesBegin.some((start) => tool.startsWith(start)));
  if (workflow === undefined) return undefined;
  return answer(tool, 'workflow-off', {
    detail: `${nameWords(tool, workflow.toolNamesBegin)} to the workflow ${workflow.name}, which is not on.`,
    fix: `add ${workflow.name} to enabledWorkflows in the config, as in "enabledWorkflows: [${workflow.name}]"`,
    provider: workflow.name,
  });
}

function nameWords(tool: string, starts: readonly string[]): string {
  const start = starts.find((one) => tool.startsWith(one))!;
  return start === tool ? 'This name belongs' : `Names that begin with ${start} belong`;
}

function explainUnknown(tool: string, facts: ExplainFacts): ToolExplanation {
  const similar = similarTo(tool, facts);
  const away = facts.upstreams.filter(({ state }) => state !== 'ready');
  const sentences = ['No upstream and no workflow has a tool of this name.'];
  if (away.length > 0) {
    sentences.push(
      `It may be one of an upstream that is not ready: ${away.map(({ key, state }) => `${key} (${state})`).join(', ')}.`,
    );
  }
  const look = away.length > 0 ? 'viaduct status says why they are not' : 'viaduct tools lists all tools';
  return answer(tool, 'unknown', {
    detail: sentences.join(' '),
    fix: similar.length > 0 ? `use ${similar[0]}` : look,
    similar,
  });
}

function similarTo(tool: string, { listed }: ExplainFacts): string[] {
  const candidates = [...listed].flatMap(([told, { ownName }]) => [
    { told, compared: told },
    { told, compared: ownName },
  ]);
  return nearestNames(tool, candidates);
}

/** Names come from upstreams: what is not printable is escaped. */
function quoted(name: string): string {
  return JSON.stringify(name);
}
