import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, PageQuery, refusals, Timestamp } from '../kit/common.ts'

const common = { tags: ['Operations'], ...reachedBy({ platform_admin: true }) }
const base = '/v1/admin/backups'

const Backup = z
  .object({
    backup_id: z.uuid(),
    name: z.string().openapi({ description: 'Its folder in the place' }),
    state: z
      .enum(['running', 'done', 'failed'])
      .openapi({ description: '`running`: asked for, or under way' }),
    target: z.string().openapi({ description: 'The place that holds it' }),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    bytes: z.int().nullable(),
    error: z.string().nullable(),
    missing: z.array(z.uuid()).nullable().openapi({
      description:
        'Projects whose repository was not there or damaged, and so is not in it; null where that is not known',
    }),
  })
  .openapi('Backup')

export const listBackups = createRoute({
  ...common,
  operationId: 'listBackups',
  summary: 'List backups, the newest first',
  description: 'Those that the scheduler took, and those that the command `backup` did.',
  method: 'get',
  path: base,
  request: { query: PageQuery },
  responses: {
    200: json(
      z.object({ backups: z.array(Backup), next_cursor: z.string().nullable() }).openapi('BackupPage'),
      'One page',
    ),
    ...refusals(400, 403),
  },
})

export const startBackup = createRoute({
  ...common,
  operationId: 'startBackup',
  summary: 'Take a backup now',
  description:
    'A scheduler takes it, into the place that `SVC_BACKUP_TO` names; without one 409 `BACKUP_NOT_CONFIGURED`. While ' +
    'another is taken 409 `BACKUP_RUNNING`.',
  method: 'post',
  path: base,
  responses: {
    202: json(z.object({ backup_id: z.uuid() }).openapi('StartedBackup'), 'Asked for'),
    ...refusals(403, 409),
  },
})
