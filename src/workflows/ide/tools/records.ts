import { z } from 'zod';
import type { Build } from '../../../core/stores/build-store.ts';
import { durationText } from '../../../core/text/duration-text.ts';

const time = z.string().describe('RFC 3339');

export const messageRecord = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  timestamp: time,
  author: z.string().optional().describe('The client, model or agent that wrote it, where that is known'),
});

export const sessionRecord = z.object({
  id: z.string(),
  name: z.string(),
  status: z
    .string()
    .describe(
      "answering while the gateway produces an answer, waiting if the newest message is a user's, else idle; a backend may have other words",
    ),
  createdAt: time,
});

export const stepRecord = z.object({ name: z.string(), status: z.string() });

export const buildRecord = z.object({
  id: z.string(),
  repo: z.string(),
  branch: z.string(),
  status: z.string().describe('running, success, failed, cancelled or lost; a backend may have other words'),
  duration: z.string().optional().describe('How long it took, such as "1m30.5s"; absent while it runs'),
  startedAt: time.optional(),
});

export const activityRecord = z.object({
  type: z.string().describe('"call" for a tool call; otherwise the type of the recorded event'),
  message: z.string(),
  timestamp: time,
});

export const overviewRecord = z.object({
  repos: z.int(),
  services: z.int(),
  activeSessions: z.int(),
  recentBuilds: z.int(),
  bridgeOnline: z.boolean().describe('True if the IDE backend is connected'),
});

export const metricsRecord = z.object({
  buildsTotal: z.int(),
  buildsSuccess: z.int(),
  buildsFailed: z.int(),
  avgBuildTime: z.string().describe('Such as "1m30.5s"; empty if no build has ended'),
  agentSessions: z.int().describe('Chat sessions that were in use'),
  messagesTotal: z.int().describe('Chat messages'),
  successRate: z.number().min(0).max(1).describe('Share of successful builds among those that succeeded or failed'),
});

/** Members that a result has besides its own where the answer is not the whole truth. */
export const REMARKS = {
  pending: z.boolean().optional().describe('true if the IDE backend has not answered yet'),
  message: z.string().optional().describe('Missing output, and where to find it'),
  bridgeOnline: z
    .boolean()
    .optional()
    .describe('True if the IDE backend is connected; only present if it has not answered'),
  sources: z.record(z.string(), z.string()).optional().describe('Source of each part of the result'),
};

export type BuildRecord = z.output<typeof buildRecord>;

/** Returns a build of the gateway as clients get it. */
export function toBuildRecord({ id, repo, branch, status, startedMs, endedMs }: Build): BuildRecord {
  return {
    id,
    repo,
    branch,
    status,
    ...(endedMs !== undefined && { duration: durationText(endedMs - startedMs) }),
    startedAt: new Date(startedMs).toISOString(),
  };
}
