import { z } from '@hono/zod-openapi'
import { Timestamp } from '../kit/common.ts'
import { SignInUser } from './sign-in.ts'

export const BrowserSession = z
  .object({
    browser_session_id: z.uuid(),
    source: z.enum(['sign_in', 'app', 'token']).openapi({
      description: 'What it was opened with: it has the power of that, and ends with it',
    }),
    keep: z.boolean().openapi({ description: 'Idle for 30 days at most, where others are for 12 hours' }),
    user_agent: z.string().nullable(),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp.openapi({ description: 'Unless it is used before then; never past 90 days' }),
    current: z.boolean().openapi({ description: 'The one that asks' }),
  })
  .openapi('BrowserSession')

export const OpenedBrowserSession = z
  .object({
    browser_session_id: z.uuid(),
    page_key: z.string().openapi({
      description: 'Sent as `X-Svc-Page` with every request of the cookie; nothing shows it again',
    }),
    user: SignInUser,
    expires_at: Timestamp.openapi({ description: 'Unless it is used before then; never past 90 days' }),
  })
  .openapi('OpenedBrowserSession')
