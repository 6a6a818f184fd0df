import { projectId, sessionId } from '../support/records.ts'
import type { Answer, Route } from '../support/stub-api.ts'

const base = `/v1/projects/${projectId}/triggers`
const receipt = '66666666-1111-4111-8111-111111111111'
const trigger = {
  slug: 'nightly',
  name: 'Nightly',
  type: 'cron',
  agent: 'default',
  model: null,
  enabled: true,
  prompt_template: 'Tidy up.\nThen stop.',
  cron: '0 3 * * *',
  run_at: null,
  timezone: 'UTC',
  secret_env: null,
  run: null,
  mode: null,
  interval: null,
  session_mode: 'fresh',
  session_key: null,
  overlap: 'allow',
  webhook_url: null,
  last_status: 'fired',
  last_error: null,
  last_fired_at: '2026-01-02T03:00:00Z',
  last_attempt_at: '2026-01-02T03:00:00Z',
  next_fire_at: '2026-01-04T03:00:00Z',
}
const fire = {
  fire_id: '99999999-9999-4999-8999-999999999999',
  slug: 'nightly',
  type: 'cron',
  scheduled_at: '2026-01-02T03:00:00Z',
  status: 'fired',
  reason: null,
  session_id: sessionId,
}
const delivery = {
  receipt_id: receipt,
  received_at: '2026-01-02T10:00:00Z',
  verdict: 'fired',
  reason: null,
  session_id: sessionId,
}

const ok = (body: unknown): Answer => ({ status: 200, body })
const fired = (): Answer => ({ status: 202, body: { status: 'fired', session_id: sessionId } })

export const triggerRoutes: Readonly<Record<string, Route>> = {
  [`GET ${base}`]: () => ok({ triggers: [trigger], triggers_paused: false, errors: [] }),
  [`POST ${base}`]: ({ body }) => ({ status: 201, body: { ...trigger, ...Object(body) } }),
  [`GET ${base}/nightly`]: () => ok(trigger),
  [`PATCH ${base}/nightly`]: ({ body }) => ok({ ...trigger, ...Object(body) }),
  [`DELETE ${base}/nightly`]: () => ok({ slug: 'nightly', deleted: true }),
  [`GET ${base}/nightly/preview`]: () => ok({ next_fires: ['2026-01-04T03:00:00.000Z'] }),
  [`GET ${base}/nightly/fires`]: () => ok({ fires: [fire], next_cursor: null }),
  [`POST ${base}/nightly/fire`]: fired,
  [`POST ${base}/nightly/fires/${fire.fire_id}/replay`]: fired,
  [`GET ${base}/nightly/deliveries`]: () => ok({ deliveries: [delivery], next_cursor: null }),
  [`POST ${base}/nightly/deliveries/${receipt}/redeliver`]: () => ({
    status: 202,
    body: { status: 'queued', reason: 'session_limit_reached' },
  }),
}

export const triggerLines = [
  'triggers ls',
  'triggers info nightly',
  'triggers fire nightly',
  'triggers enable nightly',
  'triggers disable nightly',
  'triggers add weekly --prompt Tidy --cron 0',
  'triggers rm nightly',
  'triggers history nightly',
  'triggers history nightly --deliveries',
  `triggers replay nightly ${fire.fire_id}`,
  `triggers redeliver nightly ${receipt}`,
  'triggers info absent',
] as const
