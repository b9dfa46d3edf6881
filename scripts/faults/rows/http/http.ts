import type { Fault } from '../../fault.ts';
import { UNREAD_FAULTS } from '../clients/unread.ts';
import { DRAIN_FAULTS } from '../drain.ts';
import { HTTP_REQUEST_FAULTS } from './http-requests.ts';
import { HTTP_SESSION_FAULTS } from './http-sessions.ts';

/** The faults of clients, web pages and broken networks at the HTTP endpoint. */
export const HTTP_FAULTS: readonly Fault[] = [
  ...HTTP_REQUEST_FAULTS,
  ...HTTP_SESSION_FAULTS,
  ...UNREAD_FAULTS,
  ...DRAIN_FAULTS,
];
