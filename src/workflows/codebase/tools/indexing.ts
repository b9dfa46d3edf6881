import path from 'node:path';
import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import type { IndexJob, IndexProgress } from '../../../knowledge/index/knowledge.ts';
import type { CallContext, ToolDefinition } from '../../define.ts';
import { CHANGES, defineProjectTool, READS } from '../../define-project-tool.ts';
import { mayUse } from '../../project-access.ts';
import { projectAt } from '../project-at.ts';
import type { Toolbox } from './toolbox.ts';

const MAX_PATH = 500;
const NO_FILES = 'No files found to index: all of them are ignored, binary or too large';

const absolutePath = z
  .string()
  .min(1)
  .max(MAX_PATH, { message: `must have at most ${MAX_PATH} characters` })
  .refine((place) => path.isAbsolute(place), { message: 'must be an absolute path' });

export function indexRepository({ knowledge, places }: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'index_repository',
    title: 'Code: index a repository',
    description:
      'Indexes a repository for search_code, or the files that changed since the last run. Not needed before search_code. The run continues if you cancel the call.',
    input: z.strictObject({
      path: absolutePath.describe('Absolute path of the repository, inside the workspace'),
      name: z
        .string()
        .max(200, { message: 'must have at most 200 characters' })
        .refine((name) => name.trim() !== '', { message: 'must not be blank' })
        .meta({ minLength: 1 })
        .describe('Display name of the repository'),
      force_reindex: z.boolean().default(false).describe('Reads all files again, even unchanged ones'),
    }),
    output: z.object({
      repository_id: z.string().describe('Pass it to search_code as repository_id'),
      files_indexed: z.int().describe('Number of files that had changed and were read'),
      chunks_created: z.int(),
      duration_seconds: z.number(),
      status: z.enum(['success', 'partial', 'failed']),
      errors: z.array(z.string()).describe('Files that could not be read, and why'),
    }),
    annotations: CHANGES,
    run: async ({ path: place, name, force_reindex: force }, context) => {
      const root = await places.folder(place, context);
      const onProgress = reporter(context);
      const outcome = await knowledge.index(root, { name, force, signal: context.signal, onProgress });
      const isEmpty = outcome.status === 'success' && (await knowledge.repository(root))?.files === 0;
      return {
        repository_id: outcome.repositoryId,
        files_indexed: outcome.filesIndexed,
        chunks_created: outcome.chunksCreated,
        duration_seconds: outcome.durationSeconds,
        status: isEmpty ? 'failed' : outcome.status,
        errors: isEmpty ? [NO_FILES] : [...outcome.errors],
      };
    },
  });
}

/** Returns what reports progress to the client: the number of files in it only grows. */
function reporter(context: CallContext): (progress: IndexProgress) => void {
  let last = -1;
  return (progress) => {
    if (progress.filesDone <= last) return;
    last = progress.filesDone;
    const { filesDone, filesFound, isCounted } = progress;
    context.progress({
      progress: filesDone,
      total: isCounted ? filesFound : undefined,
      message: progressText(progress),
    });
  };
}

/** Returns the progress of an index as a sentence for people. */
export function progressText({ filesDone, filesFound, isCounted, filesPerSecond, phase }: IndexProgress): string {
  const total = isCounted ? ` of ${filesFound}` : '';
  const doing = phase === 'embedding' ? ', computing vectors' : '';
  return `${filesDone}${total} files done, ${Math.round(filesPerSecond)} per second${doing}`;
}

const jobFacts = {
  job_id: z.string().describe('Pass it to get_indexing_status'),
  force_reindex: z.boolean(),
  project_id: z.string().nullable(),
};

export function startIndexing(toolbox: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'start_indexing_background',
    title: 'Code: index in the background',
    description: 'Starts indexing a repository and returns immediately. get_indexing_status reports the progress.',
    input: z.strictObject({
      repo_path: absolutePath
        .refine((place) => !place.split(/[\\/]/).includes('..'), { message: 'must not contain ".."' })
        .describe('Absolute path of the repository, inside the workspace'),
      project_id: z.string().max(128).optional().describe('Returned unchanged; does not affect the index'),
      force_reindex: z.boolean().default(false).describe('Reads all files again, even unchanged ones'),
    }),
    output: z.object({
      ...jobFacts,
      status: z.enum(['pending', 'running', 'completed', 'failed']),
      message: z.string(),
      database_name: z.string(),
    }),
    annotations: CHANGES,
    run: async ({ repo_path: place, project_id: named, force_reindex: force }, context) => {
      const root = await toolbox.places.folder(place, context);
      const job = await toolbox.knowledge.startJob(root, { force });
      const isNew = job.state === 'pending' || job.state === 'running';
      return {
        job_id: job.jobId,
        status: job.state,
        message: isNew ? 'Indexing job started' : 'Indexing job has ended',
        force_reindex: job.force,
        project_id: named ?? (await projectIdOf(root, toolbox, context)),
        database_name: toolbox.databaseName,
      };
    },
  });
}

export function getIndexingStatus(toolbox: Toolbox): ToolDefinition {
  return defineProjectTool({
    name: 'get_indexing_status',
    title: 'Code: indexing status',
    description: 'Reports the progress or the outcome of a job of start_indexing_background.',
    input: z.strictObject({
      job_id: z.guid({ message: 'must be a uuid' }).describe('From start_indexing_background'),
      project_id: z.string().max(128).optional().describe('Returned unchanged'),
    }),
    output: z.object({
      ...jobFacts,
      status: z.enum(['pending', 'running', 'completed', 'failed']),
      status_message: z.string(),
      repo_path: z.string(),
      files_indexed: z.int(),
      chunks_created: z.int(),
      error_message: z.string().nullable().describe('Why it failed, or which files could not be read'),
      created_at: z.string().describe('RFC 3339, like the other times'),
      started_at: z.string().nullable(),
      completed_at: z.string().nullable(),
    }),
    annotations: READS,
    run: async ({ job_id: id, project_id: named }, context) => {
      const job = await toolbox.knowledge.job(id);
      if (job === undefined || !(await toolbox.places.mayUse(job.root, context))) throw unknownJob(id);
      return {
        job_id: job.jobId,
        status: job.state,
        status_message: statusMessage(job),
        repo_path: job.root,
        project_id: named ?? (await projectIdOf(job.root, toolbox, context)),
        files_indexed: job.filesIndexed,
        chunks_created: job.chunksCreated,
        force_reindex: job.force,
        error_message: job.error ?? null,
        created_at: job.createdAt,
        started_at: job.startedAt ?? null,
        completed_at: job.completedAt ?? null,
      };
    },
  });
}

function unknownJob(id: string): GatewayError {
  const message = `Indexing job not found: ${id}. start_indexing_background returns the id of a job`;
  return new GatewayError('JOB_NOT_FOUND', message, { effect: 'none' });
}

function statusMessage({ state, filesIndexed, chunksCreated }: IndexJob): string {
  const done = `${filesIndexed} files read, ${chunksCreated} chunks created`;
  switch (state) {
    case 'pending':
      return 'The job is waiting to start';
    case 'running':
      return `The job is running: ${done} so far`;
    case 'completed':
      return `The job has ended: ${done}`;
    case 'failed':
      return `The job has failed: ${done}`;
  }
}

/** Returns the project of a folder, as checkpoints and tasks know it; `null` where the client may not know about one. */
async function projectIdOf(root: string, { identities }: Toolbox, { client }: CallContext): Promise<string | null> {
  const found = await projectAt(root, identities, client);
  return found === undefined || !mayUse(client, found.projectId) ? null : found.projectId;
}
