import { z } from 'zod';
import type { EntryKind } from '../../../core/providers/provider.ts';

/** The optional members of entries that official clients accept: with anything else, those clients refuse the whole list. */
const icons = z.array(
  z.object({
    src: z.string(),
    mimeType: z.string().optional(),
    sizes: z.array(z.string()).optional(),
    theme: z.enum(['light', 'dark']).optional(),
  }),
);
const anyObject = z.record(z.string(), z.unknown());
const common = { title: z.string(), description: z.string(), icons, _meta: anyObject };

const resourceMembers = {
  ...common,
  mimeType: z.string(),
  size: z.number(),
};

type Rules = Readonly<Record<string, z.ZodType>>;

/** Members that are left out when they do not fit. */
export const OPTIONAL_MEMBERS: Readonly<Record<EntryKind, Rules>> = {
  tool: {
    ...common,
    annotations: anyObject,
    execution: z.object({ taskSupport: z.enum(['required', 'optional', 'forbidden']).optional() }),
  },
  prompt: {
    ...common,
    arguments: z.array(
      z.object({ name: z.string(), description: z.string().optional(), required: z.boolean().optional() }),
    ),
  },
  resource: { ...resourceMembers, annotations: anyObject },
  template: { ...resourceMembers, annotations: anyObject },
};

const contentAnnotations: Rules = {
  audience: z.array(z.enum(['user', 'assistant'])),
  priority: z.number().min(0).max(1),
  lastModified: z.iso.datetime({ offset: true }),
};

/** Members of `annotations` that are left out when they do not fit. */
export const ANNOTATIONS: Readonly<Record<EntryKind, Rules>> = {
  tool: {
    title: z.string(),
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  },
  prompt: {},
  resource: contentAnnotations,
  template: contentAnnotations,
};
