import { z } from 'zod';
import { apiKey, serviceUrl } from '../../core/addresses/service-url.ts';
import { configKey } from '../../core/settings/config-key.ts';

/** Options of the workflow in the config, `workflows.ml`. The backends are in the section `models`. */
export const mlOptions = z
  .strictObject({
    judge: z
      .strictObject({
        backend: configKey(z.string().min(1), {
          meaning: 'Backend of the section models, or client',
          namesBackend: true,
        }),
        model: z.string().min(1).max(200).optional().describe('Model of it; without it, the one of the backend'),
      })
      .optional()
      .describe('The model that scores answers in the suite semantic; without it, that suite is refused'),
    influx: z
      .strictObject({
        url: configKey(serviceUrl.default('http://localhost:8086'), {
          meaning: 'Address of InfluxDB 3',
          takesVariables: true,
        }),
        db: z.string().min(1).max(200).default('lem').describe('Its database if a call names none'),
        token: configKey(apiKey.optional(), {
          meaning: 'Its token; write it as ${NAME}. By default INFLUX_TOKEN',
          takesVariables: true,
          secret: 'text',
          fromVariable: 'INFLUX_TOKEN',
        }),
      })
      .prefault({})
      .describe('The InfluxDB 3 that ml_status reads'),
  })
  .prefault({});

export type MlOptions = z.output<typeof mlOptions>;
