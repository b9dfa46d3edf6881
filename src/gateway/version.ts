import manifest from '../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** The versions of Node.js that it runs on, as package.json has it. */
export const REQUIRED_NODE: string = manifest.engines.node;
