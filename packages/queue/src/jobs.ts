import { z } from 'zod'

const attempt = z.strictObject({ attempt_id: z.uuid() })
const session = z.strictObject({ session_id: z.uuid() })
const project = z.strictObject({ project_id: z.uuid() })
const connector_call = z.strictObject({ call_id: z.uuid() })
const subscription = z.strictObject({ subscription_id: z.uuid() })
const release = z.strictObject({ release_id: z.uuid() })
const instance = z.strictObject({ instance_id: z.uuid() })
const rollout = z.strictObject({ rollout_id: z.uuid() })
/** `<name>@<version>`. */
const harness = z.strictObject({ harness_id: z.string().min(3) })
const checks = z.strictObject({ run_id: z.uuid() })

/** Every job, by the queue its worker drains. A payload carries ids only: the row they name is the truth. */
export const queues = {
  merge: {
    'change-request.merge': attempt,
    'manifest.edit': attempt,
    'repository.maintain': project,
    'checks.run': checks,
  },
  session: {
    'sandbox.provision': session,
    'sandbox.stop': session,
    'sandbox.destroy': session,
    'sandbox.check': session,
    'sandbox.hibernate': session,
    'sandbox.evict': session,
    'sandbox.release': session,
    'sandbox.secrets': session,
    'prompts.deliver': session,
    'templates.build': project,
    'harness.install': harness,
    'checks.run': checks,
  },
  connector: {
    'connector.execute': connector_call,
  },
  app: {
    'apps.reconcile': project,
    'app.release': release,
    'app.rollout': rollout,
    'app.wake': release,
    'app.check': instance,
    'app.stop': instance,
  },
  channel: {
    'event.deliver': subscription,
  },
} as const

export type QueueName = keyof typeof queues
export const queueNames = [
  'merge',
  'session',
  'connector',
  'app',
  'channel',
] as const satisfies readonly QueueName[]
export type JobName<Q extends QueueName> = keyof (typeof queues)[Q] & string
export type JobPayload<Q extends QueueName, N extends JobName<Q>> =
  (typeof queues)[Q][N] extends z.ZodType<infer P> ? P : never

type Ids = Readonly<Record<string, string>>
const schemas: Readonly<Record<string, Readonly<Record<string, z.ZodType<Ids>>>>> = queues

/** Throws for a name or a payload that no queue knows. */
export function parseJob(queue: QueueName, name: string, payload: unknown): Ids {
  const names = schemas[queue] ?? {}
  const schema = Object.hasOwn(names, name) ? names[name] : undefined
  if (!schema) throw new Error(`Queue ${queue} has no job ${name}`)
  return schema.parse(payload)
}
