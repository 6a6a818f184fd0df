import { isFirstInAMinute, recordAudit } from '@svc/context'
import { accounts, type Db, userCredentials } from '@svc/db'
import type { SignInContext } from './context.ts'

export interface SignInEvent {
  readonly user_id: string
  /** The sign-in that it is about, where there is one. */
  readonly sign_in_id?: string
  /** The account whose rule it was about, when the person belongs to it. */
  readonly account_id?: string | undefined
  readonly action: string
  /** The person, when absent. */
  readonly target?: string
  readonly outcome?: 'success' | 'denied'
  readonly details?: Readonly<Record<string, unknown>>
}

/** Logs a person's sign-in for the account that it was about, else for their first one. Comes last in a transaction. */
export async function recordSignIn(
  ctx: Pick<SignInContext, 'now' | 'newId' | 'trail'>,
  db: Db,
  { user_id, sign_in_id, account_id: about, action, target, outcome = 'success', details = {} }: SignInEvent,
): Promise<void> {
  const memberships = await accounts.listMemberships(db, user_id)
  const home = memberships.find(({ account_id }) => account_id === about) ?? memberships[0]
  if (!home) return
  const { account_id } = home
  const principal = { type: 'user' as const, user_id, token_id: sign_in_id ?? user_id }
  const about_what = target ?? `auth/users/${user_id}`
  await recordAudit({ ...ctx, principal }, db, { account_id, action, target: about_what, outcome, details })
}

/**
 * Records an act of a caller who did not show who they are. After the answer, whose duration then does not tell
 * whether the address belongs to a person. The attempts are limited, so that a stranger does not fill the log.
 */
export function recordLater(ctx: SignInContext, event: SignInEvent): void {
  const details = { ...event.details, authenticated: false }
  void recordSignIn(ctx, ctx.db, { ...event, details }).catch((error: unknown) =>
    ctx.log.error({ err: error, action: event.action }, 'an audit event was not written'),
  )
}

export function recordDenied(ctx: SignInContext, event: Omit<SignInEvent, 'outcome'>): void {
  recordLater(ctx, { ...event, outcome: 'denied' })
}

/**
 * The same for the person with this address, if there is one. Nothing else limits how often a caller is refused before
 * a password or a code is looked at: one event a minute says so.
 */
export function recordDeniedAddress(
  ctx: SignInContext,
  email: string,
  event: Omit<SignInEvent, 'outcome' | 'user_id'>,
): void {
  const record = async () => {
    const user = await userCredentials.findByEmail(ctx.db, email)
    if (!user) return
    const { user_id } = user
    if (await isFirstInAMinute(ctx, `sign-in-denied:${event.action}:${user_id}`))
      recordDenied(ctx, { ...event, user_id })
  }
  void record().catch((error: unknown) =>
    ctx.log.error({ err: error, action: event.action }, 'an audit event was not written'),
  )
}
