import { auditIndexerSuite } from './audit-indexer-suite.ts';

auditIndexerSuite('PostgreSQL');
