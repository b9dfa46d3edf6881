import type { Fault } from '../fault.ts';
import { CLIENT_FOLDER_FAULTS } from './access/client-folders.ts';
import { ANSWER_FAULTS } from './answers.ts';
import { BYTE_FAULTS } from './bytes.ts';
import { CASE_FAULTS } from './cases.ts';
import { CATALOGUE_FAULTS } from './catalogue.ts';
import { CLIENT_FAULTS } from './clients/clients.ts';
import { CROSSING_FAULTS } from './clients/crossings.ts';
import { FLOOD_FAULTS } from './clients/floods.ts';
import { SHARING_FAULTS } from './clients/sharing.ts';
import { CONFIG_FAULTS } from './config/config.ts';
import { WORKSPACE_FAULTS } from './config/workspace.ts';
import { ENDING_FAULTS } from './endings.ts';
import { ERA_FAULTS } from './eras.ts';
import { AUDIT_FAULTS } from './gateway/audit.ts';
import { SHARED_GATEWAY_FAULTS } from './gateway/shared.ts';
import { HTTP_FAULTS } from './http/http.ts';
import { TCP_FAULTS } from './http/tcp.ts';
import { UPSTREAM_HTTP_FAULTS } from './http/upstream-http.ts';
import { LINE_FAULTS } from './line-breaks.ts';
import { LIST_FAULTS } from './lists.ts';
import { LONG_FAULTS } from './long.ts';
import { PROCESS_FAULTS } from './process.ts';
import { SLOW_TEXT_FAULTS } from './slow-text.ts';
import { URI_FAULTS } from './uris.ts';

/** Every fault, in the order of docs/TRUST.md. */
export const FAULTS: readonly Fault[] = [
  ...PROCESS_FAULTS,
  ...ENDING_FAULTS,
  ...ANSWER_FAULTS,
  ...CLIENT_FAULTS,
  ...CROSSING_FAULTS,
  ...BYTE_FAULTS,
  ...LINE_FAULTS,
  ...SLOW_TEXT_FAULTS,
  ...FLOOD_FAULTS,
  ...CATALOGUE_FAULTS,
  ...URI_FAULTS,
  ...LIST_FAULTS,
  ...SHARING_FAULTS,
  ...SHARED_GATEWAY_FAULTS,
  ...AUDIT_FAULTS,
  ...UPSTREAM_HTTP_FAULTS,
  ...HTTP_FAULTS,
  ...TCP_FAULTS,
  ...CLIENT_FOLDER_FAULTS,
  ...ERA_FAULTS,
  ...CONFIG_FAULTS,
  ...WORKSPACE_FAULTS,
  ...CASE_FAULTS,
  ...LONG_FAULTS,
];
