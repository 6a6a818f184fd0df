import { objectPlace } from '@svc/objects/place'
import { z } from 'zod'
import { placeUrl } from '../format/place.ts'
import { isCron } from './is-due.ts'

/** The place of the backups that the platform takes by itself, known to the process that takes them and to the one that asks for one. */
export const backupPlaceEnv = {
  SVC_BACKUP_TO: z
    .string()
    .refine((place) => /^(\/|file:\/\/\/|s3:\/\/)/.test(place) && objectPlace(placeUrl(place)) !== null, {
      message: 'must be the whole path of a folder, or s3://bucket/prefix?endpoint=&region=&path_style=true',
    })
    .transform(placeUrl)
    .optional()
    .describe(
      'where the scheduler writes backups, a folder of its machine or a bucket; without it it takes none',
    ),
} as const

/** The variables of the process that takes backups at their time. */
export const backupEnv = {
  ...backupPlaceEnv,
  SVC_BACKUP_CRON: z
    .string()
    .refine(isCron, { message: 'must be a schedule of six fields, second first, such as 0 0 3 * * *' })
    .default('0 0 3 * * *')
    .describe('when a backup is taken: six fields, second first, in UTC'),
  SVC_BACKUP_KEEP: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(7)
    .describe('how many finished backups of that place are kept, the newest'),
  SVC_BACKUP_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')
    .optional()
    .describe(
      "an address of the database with a role that reads every table; the scheduler's own when unset",
    ),
} as const

export type BackupSettings = z.infer<z.ZodObject<typeof backupEnv>>
