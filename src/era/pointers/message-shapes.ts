import { META_SHAPE } from '../../core/uris/meta-shape.ts';
import type { Shape } from '../../wire/shape.ts';

/** The contents of a resource (2025-11-25, "Resource Contents"). */
const CONTENTS: Shape = { members: { uri: 'string', _meta: META_SHAPE } };

/** Blocks of content, nested only in results of tools that a sampling request repeats (2025-11-25, "Sampling with Tools"). */
const BLOCKS: { each: Shape } = { each: 'string' };
BLOCKS.each = {
  all: [
    { members: { _meta: META_SHAPE } },
    {
      byType: {
        resource_link: { members: { uri: 'string' } },
        resource: { members: { resource: CONTENTS } },
        tool_result: { members: { content: BLOCKS } },
      },
    },
  ],
};

const MESSAGES: Shape = { each: { members: { content: BLOCKS, _meta: META_SHAPE } } };

/** Params of what an upstream asks its client: sampling and elicitation. */
const ASK_PARAMS: Shape = {
  members: { messages: MESSAGES, tools: { each: { members: { _meta: META_SHAPE } } }, _meta: META_SHAPE },
};

/** The same as a modern server asks it, in results (2026-07-28, "Multi Round-Trip Requests"). */
const INPUT_REQUESTS: Shape = { values: { members: { params: ASK_PARAMS } } };

const TOOL_RESULT: Shape = { members: { content: BLOCKS, _meta: META_SHAPE, inputRequests: INPUT_REQUESTS } };

/** `data.uri` of "Resource not found" and its like. */
const ERROR: Shape = { members: { data: { members: { uri: 'string' } } } };

/** A modern task has its result, its error or its questions with it. */
const TASK: Shape = {
  members: { result: TOOL_RESULT, error: ERROR, inputRequests: INPUT_REQUESTS, _meta: META_SHAPE },
};

/** An entry of SEP-2640, "Skill Entries". */
const SKILL: Shape = {
  members: { uri: 'string', resources: { each: { members: { uri: 'string' } } }, _meta: META_SHAPE },
};

/** The places of uris in the results of methods. */
export const RESULT_SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['tools/call', TOOL_RESULT],
  ['tasks/result', TOOL_RESULT],
  ['tasks/get', TASK],
  ['tasks/update', TASK],
  ['tasks/cancel', TASK],
  ['prompts/get', { members: { messages: MESSAGES, _meta: META_SHAPE, inputRequests: INPUT_REQUESTS } }],
  ['resources/read', { members: { contents: { each: CONTENTS }, _meta: META_SHAPE, inputRequests: INPUT_REQUESTS } }],
  ['resources/directory/read', { members: { resources: { each: CONTENTS }, _meta: META_SHAPE } }],
  ['skills/list', { members: { skills: { each: SKILL }, _meta: META_SHAPE } }],
  ['skills/get', { members: { skill: SKILL, _meta: META_SHAPE } }],
]);

/** The places of uris in any error. */
export const ERROR_SHAPE = ERROR;

/**
 * The places of uris in the params of requests and notifications from upstreams. `notifications/resources/updated` is
 * handled separately.
 */
export const PARAMS_SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['sampling/createMessage', ASK_PARAMS],
  ['elicitation/create', ASK_PARAMS],
  ['notifications/tasks', TASK],
]);
