import { edgeValuesSuite } from './edge-values-suite.ts';

edgeValuesSuite('SQLite');
