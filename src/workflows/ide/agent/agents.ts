import path from 'node:path';
import { maskOfSecrets } from '../../../builds/known-secrets.ts';
import { DEPTH_VARIABLE, depthIn } from '../../../core/agent-depth.ts';
import { GatewayError } from '../../../core/errors.ts';
import { ImpossibleError } from '../../../core/impossible-error.ts';
import { environmentFor } from '../../../process/environment.ts';
import { findCommand } from '../../../process/find-command.ts';
import type { SpawnOptions } from '../../../process/spawn-tree.ts';
import { redact } from '../../../redaction/redact.ts';
import type { WorkspaceFolder } from '../../../workspace/sandbox.ts';
import type { CallingClient, WorkflowContext } from '../../define.ts';
import { type AgentReport, costIn, readAnswer } from './answer-in.ts';
import type { AgentOptions } from './options.ts';
import { filledArguments } from './prompt-arguments.ts';
import { agentFailed, runAgent } from './run-agent.ts';

/** Linux takes 128 KiB of one argument, its end included. */
const MAX_ARGUMENT_BYTES = 131_071;
/** An agent may not have this depth: it would be one that was started for another agent. */
const MAX_DEPTH = 2;

export type AgentsContext = Pick<
  WorkflowContext<AgentOptions>,
  'options' | 'env' | 'home' | 'loginPath' | 'reaper' | 'log'
>;

/** A question to the agent. */
export interface AgentQuestion {
  readonly prompt: string;
  readonly sessionId: string;
  /** The folder in which it works. It is held until the agent runs. */
  readonly folder: WorkspaceFolder;
  readonly signal: AbortSignal;
}

export interface AgentAnswer {
  readonly text: string;
  /** The program that has answered. */
  readonly author: string;
}

/** Starts the agent of the config for each question. */
export class Agents {
  readonly #context: AgentsContext;
  /** Replaces the secrets that the agent gets from the gateway. */
  readonly #mask: (text: string) => string;
  #running = 0;

  constructor(context: AgentsContext) {
    this.#context = context;
    this.#mask = maskOfSecrets(passedOn(context.options.env, context.env));
  }

  /**
   * Makes sure that an agent may be started for a client. It has all rights of the gateway's user, so that a client which may not
   * use everything here must not get one.
   * @throws GatewayError `AGENT_FAILED`
   */
  requireFor({ scope, depth = 0 }: CallingClient): void {
    if (scope !== undefined && !scope.isWhole) throw notStarted(RESTRICTED);
    if (Math.max(depthIn(this.#context.env), depth) + 1 >= MAX_DEPTH) throw notStarted(TOO_DEEP);
  }

  /** @throws GatewayError `AGENT_FAILED`; the reason of the question's signal */
  async answer(question: AgentQuestion): Promise<AgentAnswer> {
    const { maxAgents } = this.#context.options;
    if (this.#running >= maxAgents)
      throw notStarted(`${maxAgents} agents are running already (maxAgents). Send the message again later`);
    this.#running++;
    try {
      return await this.#ask(question);
    } finally {
      this.#running--;
    }
  }

  async #ask({ prompt, sessionId, folder, signal }: AgentQuestion): Promise<AgentAnswer> {
    const { options, log } = this.#context;
    const spawn = await this.#spawnOptions({ prompt, sessionId, folder: folder.realPath }, folder.cwd);
    const output = await runAgent(
      {
        spawn,
        input: options.stdin ? prompt : '',
        timeoutMs: options.timeoutMs,
        maxOutputBytes: options.maxOutputBytes,
        onLine: this.#costCheck(),
        mask: this.#mask,
        signal,
      },
      this.#context,
    );
    const report = readAnswer(output, options);
    if (report === undefined) throw agentFailed(`it has written no JSON object (format: ${options.format})`);
    log.debug({ event: 'chat-agent', costUsd: report.cost }, 'an agent has answered a chat');
    return { text: this.#checked(report), author: path.basename(options.command[0]!) };
  }

  async #spawnOptions(
    values: { readonly prompt: string; readonly sessionId: string; readonly folder: string },
    cwd: string,
  ): Promise<SpawnOptions> {
    const { options, env, home, loginPath } = this.#context;
    const [command = '', ...template] = options.command;
    const args = filledArguments(template, { ...values, maxCostUsd: options.maxCostUsd?.toString() });
    if (args.some((text) => Buffer.byteLength(text) > MAX_ARGUMENT_BYTES)) throw notStarted(TOO_LONG);
    const own = await environmentFor({ env: {}, inheritEnv: false }, env, loginPath);
    // Not in the project's folder: a relative folder of PATH would be searched there.
    const found = await findCommand({ command, cwd: home }, own, loginPath).catch(notFound);
    const more = { ...passedOn(options.env, env), [DEPTH_VARIABLE]: String(depthIn(env) + 1), PWD: values.folder };
    return { file: found.file, args, cwd, env: { ...found.env, ...more } };
  }

  /** Ends an agent that says before its end that it has cost too much. */
  #costCheck(): ((line: string) => void) | undefined {
    const { format, costAt, maxCostUsd } = this.#context.options;
    if (format !== 'jsonl' || maxCostUsd === undefined) return undefined;
    return (line) => this.#requireCost(costIn(line, { costAt }));
  }

  #requireCost(cost: number | undefined): void {
    const { maxCostUsd } = this.#context.options;
    if (cost === undefined || maxCostUsd === undefined || cost <= maxCostUsd) return;
    throw agentFailed(`it has cost ${cost} US dollars, more than ${maxCostUsd} (maxCostUsd)`);
  }

  #checked({ answer, cost, error }: AgentReport): string {
    this.#requireCost(cost);
    if (error !== undefined) throw agentFailed(redact(this.#mask(error)).value);
    if (answer !== undefined && answer !== '') return this.#mask(answer);
    const { format, answerAt } = this.#context.options;
    throw agentFailed(format === 'text' ? 'it has written nothing' : `it has written no answer at ${answerAt}`);
  }
}

const RESTRICTED =
  "the token or profile of this client does not allow everything, and an agent has all rights of the gateway's user";
const TOO_DEEP = `the message comes from such an agent, or this gateway was started by one (${DEPTH_VARIABLE})`;
const TOO_LONG = 'the prompt is too long for an argument: let the agent read it from standard input (stdin: true)';

function notStarted(why: string): GatewayError {
  return new GatewayError('AGENT_FAILED', `The agent was not started: ${why}`, { effect: 'none' });
}

function notFound(error: unknown): never {
  if (error instanceof ImpossibleError) throw notStarted(error.message);
  throw error;
}

function passedOn(names: readonly string[], env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
