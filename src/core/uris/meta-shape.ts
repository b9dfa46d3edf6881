import type { Shape } from '../../wire/shape.ts';

/**
 * The uris that `_meta` of a tool or a result names: the app that shows its results (SEP-1865, "Resource Discovery", and its
 * earlier flat key), and the template of the OpenAI Apps SDK.
 */
export const META_SHAPE: Shape = {
  members: {
    ui: { members: { resourceUri: 'string' } },
    'ui/resourceUri': 'string',
    'openai/outputTemplate': 'string',
  },
};
