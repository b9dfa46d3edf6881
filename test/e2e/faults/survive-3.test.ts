import { survive } from './survive.ts';

survive({ part: 2, of: 4 });
