import { z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { text } from '../kit/common.ts'
import { signInExamples } from '../kit/refusal-examples.ts'

const tags = ['Sign-in']
/** The routes for a person who is not signed in yet, and those for one who is. */
export const open = { tags, ...reachedBy({ public: true }) }
export const own = { tags, ...reachedBy({ any_person: true }) }

export const Email = z.email().max(254)
/** Compared, never stored as it is; the bound keeps the hashing of it short. */
export const Password = text(256).min(1)
export const Code = text(64).min(1).openapi({ description: 'Eight digits; spaces do not count' })
export const TotpCode = text(64).min(1).openapi({
  description: 'With a second factor: a code of the authenticator app, or a recovery code',
})
export const LinkToken = text(255).min(1).openapi({ description: 'What stands behind `token=` in the link' })

export const SignInError = z
  .object({
    error: z.string().openapi({ description: 'Stable machine code' }),
    error_description: z.string(),
  })
  .openapi('SignInError')

const words = {
  400: 'Invalid request',
  401: 'Not signed in: read `error`',
  403: 'The credential does not allow this',
  404: 'Missing',
  409: 'Conflict with the current state',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'The password is weak',
  429: 'Too many requests: wait `Retry-After` seconds',
  500: 'A defect: report it with `X-Request-Id`',
  503: 'Temporary: retry after `Retry-After` seconds',
} as const

type Status = keyof typeof words
type Refusals<S extends Status> = {
  [K in S]: {
    description: string
    content: { 'application/json': { schema: typeof SignInError; example: object } }
  }
}

/** The refusals of the sign-in have a shape of their own; 400, 401, 413, 415, 429, 500 and 503 come with every route. */
export function signInRefusals<S extends Status>(
  ...more: S[]
): Refusals<S | 400 | 401 | 413 | 415 | 429 | 500 | 503> {
  const all = [...new Set<Status>([...more, 400, 401, 413, 415, 429, 500, 503])].sort()
  const entries = all.map((status) => [
    status,
    {
      description: words[status],
      content: { 'application/json': { schema: SignInError, example: signInExamples[status] } },
    },
  ])
  return Object.fromEntries(entries) as Refusals<S | 400 | 401 | 413 | 415 | 429 | 500 | 503>
}
