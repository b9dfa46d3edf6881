import type { ListSource } from '../../core/providers/provider.ts';
import type { StatusSource } from '../../core/providers/provider-status.ts';

/** The part of an upstream that clients see without calling it: its lists, and how it is. */
export interface Shown
  extends Required<
      Pick<ListSource, 'listing' | 'isKnown' | 'era' | 'declared' | 'withheld' | 'acceptsUnlisted' | 'instructions'>
    >,
    StatusSource {}
