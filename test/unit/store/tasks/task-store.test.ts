import { taskStoreSuite } from './task-store-suite.ts';

taskStoreSuite('SQLite');
