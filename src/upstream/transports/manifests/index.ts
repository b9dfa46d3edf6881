import { http } from './http.ts';
import { ideRest } from './ide-rest.ts';
import { sse } from './sse.ts';
import { stdio } from './stdio.ts';
import { tcp } from './tcp.ts';
import { TransportTable } from './transport-table.ts';
import { unix } from './unix.ts';
import { websocket } from './websocket.ts';

/** The transports of this build. If no type is written, the first one that takes the address is used. */
export const TRANSPORTS = new TransportTable([stdio, http, sse, tcp, unix, websocket, ideRest]);
