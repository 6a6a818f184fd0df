import type { CreateTriggerInput, Trigger, UpdateTriggerInput } from '@svc/sdk'

/** The form as it stands. */
export interface TriggerFields {
  readonly slug: string
  readonly type: Trigger['type']
  readonly name: string
  readonly cron: string
  readonly timezone: string
  readonly secret_env: string
  readonly run: string
  readonly agent: string
  readonly prompt: string
}

export const noFields: TriggerFields = {
  slug: '',
  type: 'cron',
  name: '',
  cron: '',
  timezone: '',
  secret_env: '',
  run: '',
  agent: '',
  prompt: '',
}

export function fieldsOf(trigger: Trigger): TriggerFields {
  const { slug, type, name, cron, timezone, secret_env, run, agent, prompt_template } = trigger
  return {
    slug,
    type,
    name: name === slug ? '' : name,
    cron: cron ?? '',
    timezone: timezone ?? '',
    secret_env: secret_env ?? '',
    run: run ?? '',
    agent,
    prompt: prompt_template,
  }
}

/** The entry for the manifest; an empty field is not written. */
export function createInput(fields: TriggerFields): CreateTriggerInput {
  const { slug, type, prompt } = fields
  return { slug, type, prompt, ...given(fields), ...ownOf(fields) }
}

/** The difference to what is there; null where nothing differs. */
export function updateInput(before: TriggerFields, after: TriggerFields): UpdateTriggerInput | null {
  const changed = (['name', 'cron', 'timezone', 'agent'] as const).filter((key) => before[key] !== after[key])
  const firm = (['prompt', 'secret_env', 'run'] as const).filter((key) => before[key] !== after[key])
  if (changed.length + firm.length === 0) return null
  return Object.fromEntries([
    ...changed.map((key) => [key, after[key] === '' ? null : after[key]]),
    ...firm.map((key) => [key, after[key]]),
  ])
}

function given({ name, agent }: TriggerFields) {
  return { ...(name === '' ? {} : { name }), ...(agent === '' ? {} : { agent }) }
}

function ownOf({ type, cron, timezone, secret_env, run }: TriggerFields) {
  switch (type) {
    case 'cron':
      return { cron, ...(timezone === '' ? {} : { timezone }) }
    case 'webhook':
      return { secret_env }
    case 'monitor':
      return { run }
  }
}
