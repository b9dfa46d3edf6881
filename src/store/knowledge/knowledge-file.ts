/** The file of the index in the gateway's folder, where it is in SQLite. */
export const KNOWLEDGE_FILE = 'knowledge.db';
