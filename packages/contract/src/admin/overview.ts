import { createRoute, z } from '@hono/zod-openapi'
import { sessionMachine } from '@svc/session'
import { reachedBy } from '../kit/access.ts'
import { json, refusals, Timestamp } from '../kit/common.ts'
import { PlatformMaintenance } from './maintenance.ts'
import { Machine, Process } from './processes.ts'
import { WorkKind } from './work.ts'

const Overview = z
  .object({
    version: z.string(),
    commit: z.string(),
    schema: z
      .object({
        level: z.int().openapi({ description: 'Level of the database' }),
        newest: z.int().openapi({ description: 'The newest level that this build knows' }),
        min_reader: z.int().openapi({ description: 'Builds below it do not start' }),
        pending: z.array(z.object({ name: z.string(), phase: z.enum(['expand', 'contract']) })),
      })
      .openapi({ description: 'The schema, as `migrate --status` tells it' }),
    maintenance: PlatformMaintenance,
    sessions: z
      .partialRecord(z.enum(sessionMachine.states), z.int())
      .openapi({ description: 'Number of sessions in each status', example: { running: 3, stopped: 12 } }),
    owed: z.array(z.object({ work: WorkKind, rows: z.int(), oldest_seconds: z.int() })),
    queues: z.array(
      z.object({
        queue: z.string(),
        waiting: z.int(),
        active: z.int(),
        delayed: z.int(),
        failed: z.int().openapi({ description: 'Failures that are not resolved' }),
        oldest_seconds: z.int(),
      }),
    ),
    processes: z.array(Process),
    machines: z.array(Machine),
    last_backup_at: Timestamp.nullable(),
  })
  .openapi('Overview')

export const getOverview = createRoute({
  tags: ['Operations'],
  ...reachedBy({ platform_admin: true }),
  operationId: 'getOverview',
  summary: 'The state of the whole platform',
  description: 'What runs, what is owed and what waits. `queues` is empty while the queue does not answer.',
  method: 'get',
  path: '/v1/admin/overview',
  responses: { 200: json(Overview, 'The overview'), ...refusals(403) },
})
