import {
  durationPattern,
  modelNamePattern,
  monitorModes,
  overlaps,
  sessionModes,
  triggerTypes,
} from '@svc/facts'
import { z } from 'zod'
import { manifestLimits } from '../limits.ts'
import { withConditions } from './conditions.ts'
import { anyCase, characters, exactly, filled, ownUpperName, slug, wordOf } from './words.ts'

const switchWords = ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off']
const enabledRule = `must be true or false, a number, or one of ${switchWords.join(', ')}`
const enabled = z.union([z.boolean(), z.number(), wordOf(switchWords, enabledRule)], { error: enabledRule })

const sessionModeRule = `must be one of ${sessionModes.join(', ')}`
/** The plain words first: they are what editors offer. */
const sessionMode = z.union([z.enum(sessionModes), wordOf(sessionModes, sessionModeRule)], {
  error: sessionModeRule,
})

const model = z.string().regex(modelNamePattern, 'must have the form `provider/model`')
const duration = z
  .string()
  .regex(durationPattern, 'must be a whole number and a unit, such as `30s`, `5m`, `2h` or `1d`')
const dateTime = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?$/,
    'must be an ISO 8601 date and time, such as `2030-01-31T09:00:00Z`',
  )

const monitor = { type: exactly('monitor') }

export const triggerShape = withConditions(
  z.looseObject({
    slug,
    type: z.enum(triggerTypes),
    prompt: filled.optional(),
    prompt_template: filled.optional(),
    name: z.string().optional(),
    agent: filled.optional(),
    agent_name: filled.optional(),
    model: model.optional(),
    enabled: enabled.optional(),
    session_mode: sessionMode.optional(),
    sessionMode: sessionMode.optional(),
    session_id: filled.optional(),
    sessionId: filled.optional(),
    session_key: z.string().optional(),
    sessionKey: z.string().optional(),
    filter: z.record(z.string(), z.string()).optional(),
    overlap: z.enum(overlaps).optional(),
    cron: filled.optional(),
    schedule: filled.optional(),
    run_at: dateTime.optional(),
    runAt: dateTime.optional(),
    timezone: filled.optional(),
    secret_env: ownUpperName.optional(),
    secretEnv: ownUpperName.optional(),
    run: characters(1, manifestLimits.monitor_run_characters).optional(),
    mode: z.enum(monitorModes).optional(),
    interval: duration.optional(),
    expect_event_within: duration.optional(),
  }),
  [
    { needs: ['prompt', 'prompt_template'], because: 'required: the first message of the session' },
    {
      when: { session_mode: anyCase('pinned') },
      needs: ['session_id', 'sessionId'],
      because: 'required when `session_mode` is `pinned`',
    },
    {
      when: { sessionMode: anyCase('pinned') },
      needs: ['session_id', 'sessionId'],
      because: 'required when `session_mode` is `pinned`',
    },
    {
      when: { type: exactly('cron') },
      needs: ['cron', 'schedule', 'run_at', 'runAt'],
      because: 'a cron trigger needs `cron` or `run_at`',
    },
    ...['cron', 'schedule'].flatMap((repeating) =>
      ['run_at', 'runAt'].map((once) => ({
        when: { type: exactly('cron') },
        atMostOne: [repeating, once],
        because: `excludes \`${repeating}\`: a trigger runs once or on a schedule`,
      })),
    ),
    {
      when: { type: exactly('webhook') },
      needs: ['secret_env', 'secretEnv'],
      because: 'required on a webhook trigger: it names the secret that callers prove they know',
    },
    { when: monitor, needs: ['run'], because: 'required on a monitor trigger' },
    { when: monitor, needs: ['mode'], because: 'required on a monitor trigger: `poll` or `stream`' },
    {
      when: { ...monitor, mode: exactly('poll') },
      needs: ['interval'],
      because: 'required when `mode` is `poll`',
    },
    {
      when: { ...monitor, mode: exactly('stream') },
      refuses: ['interval'],
      because: 'not allowed when `mode` is `stream`',
    },
    {
      when: monitor,
      refuses: ['cron', 'schedule', 'run_at', 'runAt', 'timezone', 'secret_env', 'secretEnv'],
      because: 'not allowed on a monitor trigger',
    },
  ],
)

export type TriggerInput = z.output<typeof triggerShape>
