import { additionsSuite } from './additions-suite.ts';

additionsSuite('PostgreSQL');
