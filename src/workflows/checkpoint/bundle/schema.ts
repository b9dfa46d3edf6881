import { z } from 'zod';

/** The parts of a conversation that travel, least first. */
export const FIDELITIES = ['L0', 'L1', 'L2', 'L3'] as const;
export type Fidelity = (typeof FIDELITIES)[number];

export const BUNDLE_VERSION = '1.0';

/** The id that stands for all items of a list in a patch: `{ "id": "*", "_delete": true }` empties it first. */
export const EVERY_ID = '*';

/** `open` and `pending` are two spellings of one status; each client gets back its own. */
export const TODO_STATUSES = ['open', 'pending', 'in_progress', 'done'] as const;

const itemId = z
  .string()
  .min(1)
  .max(256)
  .refine((id) => id !== EVERY_ID, { message: 'an item cannot be called "*": it means all items' });

const fidelity = z.enum(FIDELITIES);
const status = z.enum(TODO_STATUSES);
const scope = z.enum(['user', 'project', 'local']);
const texts = z.array(z.string());

const git = z
  .looseObject({
    remote: z.string().nullish(),
    branch: z.string().nullish(),
    head: z.string().nullish(),
    dirty_files: texts.nullish(),
    staged_diff: z.string().nullish(),
    unstaged_diff: z.string().nullish(),
  })
  .describe('State of the working copy; read by the gateway where the patch has none');

const step = z.looseObject({ id: z.string().nullish(), text: z.string(), status: status.nullish() });

const turn = z.looseObject({
  role: z.enum(['user', 'assistant', 'system', 'tool']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]),
});

/** Lists whose items have ids: they are merged item by item. */
export const LIST_ITEMS = {
  instructions: z.looseObject({
    id: itemId,
    content: z.string(),
    scope: scope.nullish(),
    format: z.string().nullish(),
    source_path: z.string().nullish(),
  }),
  memories: z.looseObject({
    id: itemId,
    text: z.string(),
    scope: scope.nullish(),
    source: z.string().nullish(),
    tags: texts.nullish(),
    created_at: z.string().nullish(),
  }),
  todos: z.looseObject({ id: itemId, text: z.string(), status: status.nullish() }),
  decisions: z.looseObject({
    id: itemId,
    text: z.string(),
    rationale: z.string().nullish(),
    at: z.string().nullish(),
  }),
  specs: z.looseObject({
    id: itemId,
    title: z.string().nullish(),
    requirements_md: z.string().nullish(),
    design_md: z.string().nullish(),
    tasks_md: z.string().nullish(),
  }),
  attachments: z.looseObject({
    id: itemId,
    name: z.string().nullish(),
    uri: z.string(),
    media_type: z.string().nullish(),
  }),
} as const;

export type ListField = keyof typeof LIST_ITEMS;

export const LIST_FIELDS = Object.keys(LIST_ITEMS) as readonly ListField[];

/** The members that are not lists of items. A patch may have these and those. */
export const OTHER_FIELDS = {
  user_id: z.string().nullish(),
  project: z
    .looseObject({
      id: z.string().nullish(),
      resolved_from: z.string().nullish(),
      root_path_fingerprint: z.string().nullish(),
      git: git.nullish(),
    })
    .nullish(),
  git: git.nullish(),
  plan: z
    .looseObject({
      summary: z.string().nullish(),
      current_step: z.string().nullish(),
      steps: z.array(step).nullish(),
    })
    .nullish(),
  plan_steps: texts.nullish().describe('The plan as plain texts; replaces `plan`, and is replaced by it'),
  conversation: z
    .looseObject({
      fidelity: fidelity.nullish(),
      summary: z.string().nullish(),
      summary_through_message: z.int().nullish(),
      last_n_turns: z.array(turn).nullish(),
      source_transcript_uri: z.string().nullish(),
    })
    .nullish(),
  workspace: z
    .looseObject({
      open_files: texts.nullish(),
      active_file: z.string().nullish(),
      cursor: z.looseObject({ path: z.string(), line: z.number(), col: z.number() }).nullish(),
    })
    .nullish(),
  capabilities_required: texts.nullish(),
  last_source_capabilities: texts.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
} as const;

/** Members that the gateway itself writes at the top of a bundle; in a patch they are passed over. */
export const HEADER_FIELDS = {
  pcb_version: z.string().optional(),
  bundle_id: z.string().optional(),
  project_id: z.string().optional(),
  last_source_ide: z.string().optional(),
  updated_at: z.string().optional(),
} as const;

/** A Portable Context Bundle as it is stored and delivered. Fields that it does not name are kept. */
export const bundleSchema = z.looseObject({
  ...HEADER_FIELDS,
  ...OTHER_FIELDS,
  instructions: z.array(LIST_ITEMS.instructions).optional(),
  memories: z.array(LIST_ITEMS.memories).optional(),
  todos: z.array(LIST_ITEMS.todos).optional(),
  decisions: z.array(LIST_ITEMS.decisions).optional(),
  specs: z.array(LIST_ITEMS.specs).optional(),
  attachments: z.array(LIST_ITEMS.attachments).optional(),
});

/** The parts left out of a delivered bundle, and why. */
export const fidelitySchema = z.object({
  delivered: fidelity,
  /** The fidelity that the bundle offers. */
  produced: fidelity,
  /** The fidelity that the asking client can use. */
  consumable: fidelity,
  left_out: texts,
});

export type FidelityReport = z.output<typeof fidelitySchema>;
