import { z } from 'zod'

const whole = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/** The settings of notifications, of the process that tells them. */
export const notificationEnv = {
  SVC_NOTIFICATIONS_DAYS: whole(1, 3650, 90).describe('days for which notifications are kept'),
  SVC_DIGEST_AFTER_SECONDS: whole(0, 604_800, 900).describe(
    'seconds for which a notification is unread before it is mailed',
  ),
  SVC_DIGEST_EVERY_SECONDS: whole(0, 604_800, 3600).describe(
    'seconds between two mails with notifications to one person',
  ),
} as const
