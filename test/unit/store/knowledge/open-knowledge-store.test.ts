import { knowledgeStoreSuite } from './open-knowledge-store-suite.ts';

knowledgeStoreSuite('SQLite');
