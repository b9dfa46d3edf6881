import { checkpointStoreSuite } from './checkpoint-store-suite.ts';

checkpointStoreSuite('SQLite');
