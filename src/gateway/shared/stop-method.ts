/** The method by which `viaduct stop` ends a shared gateway. */
export const STOP_METHOD = 'viaduct/stop';
