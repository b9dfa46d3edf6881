import { changeStoreSuite } from './change-store-suite.ts';

changeStoreSuite('PostgreSQL');
