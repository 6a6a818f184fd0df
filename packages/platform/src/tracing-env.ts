import { z } from 'zod'

/** The variables of traces that are read here; the SDK reads the other OTEL_* by itself. */
export const tracingEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the collector that traces are sent to over HTTP; without it there are none'),
} as const
