import { z } from 'zod'

const composioConfig = z.strictObject({
  kind: z.literal('composio'),
  base_url: z.url({ protocol: /^https?$/ }).default('https://backend.composio.dev/api/v3'),
  api_key: z.string().min(1),
  /** Ids of auth configs at Composio, by app. */
  auth_configs: z.record(z.string(), z.string().min(1)).default({}),
})
export type ComposioConfig = z.output<typeof composioConfig>

const pipedreamConfig = z.strictObject({
  kind: z.literal('pipedream'),
  base_url: z.url({ protocol: /^https?$/ }).default('https://api.pipedream.com'),
  project_id: z.string().min(1),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  environment: z.enum(['development', 'production']),
})
export type PipedreamConfig = z.output<typeof pipedreamConfig>

const aggregator = z.discriminatedUnion('kind', [composioConfig, pipedreamConfig])
const file = z.strictObject({ aggregator_a: aggregator.optional(), aggregator_b: aggregator.optional() })
export type AggregatorsConfig = z.output<typeof file>

/** The content of `SVC_AGGREGATORS_FILE`. Throws an error that names each wrong key, and no value. */
export function parseAggregators(text: string): AggregatorsConfig {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error('SVC_AGGREGATORS_FILE is no JSON; write { "aggregator_a": { "kind": "composio", … } }')
  }
  const { success, data: config, error } = file.safeParse(data)
  if (success) return config
  const issues = error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
  throw new Error(`SVC_AGGREGATORS_FILE cannot be used. ${issues.join('; ')}`)
}
