import { eventStoreSuite } from './event-store-suite.ts';

eventStoreSuite('PostgreSQL');
