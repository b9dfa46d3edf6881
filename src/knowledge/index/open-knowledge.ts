import type { Knowledge, KnowledgeOptions } from './knowledge.ts';

/** Opens the index. Nothing is started or loaded until the first use. */
export declare function openKnowledge(options: KnowledgeOptions): Knowledge;
