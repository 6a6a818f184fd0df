import type { AccessMode, DesiredState } from '@svc/app'
import { audited } from '@svc/context'
import { apps } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { hashPassword } from '@svc/vault/password'
import type { Changing } from '../context.ts'
import { type AppInput, ofApp, requireApp } from './find-app.ts'
import { presentApp } from './present.ts'

export type ViewerInput = { readonly user_id: string } | { readonly group_id: string }

export interface UpdateAppInput extends AppInput {
  readonly access_mode?: AccessMode | undefined
  readonly password?: string | undefined
  readonly viewers?: readonly ViewerInput[] | undefined
  readonly max_concurrency?: number | undefined
  readonly preview_secrets?: readonly string[] | undefined
}

/** Changes who may look at an app. Each change of mode, password or viewers closes every way in that was given before. */
export async function updateApp(ctx: Changing, input: UpdateAppInput) {
  const { app } = await requireApp(ctx, input, 'project.app.write')
  const { access_mode, password, viewers, max_concurrency, preview_secrets } = input
  if ((access_mode ?? app.access_mode) === 'password' && password === undefined && app.password_hash === null)
    throw new ServiceError('invalid_request', 'The mode password needs a password; give one with it', {
      issues: [{ path: 'password', message: 'is needed by the mode password' }],
    })
  const listed = viewers?.map((one) => ({
    user_id: 'user_id' in one ? one.user_id : null,
    group_id: 'group_id' in one ? one.group_id : null,
  }))
  const password_hash = password === undefined ? undefined : await hashPassword(password)
  const change = {
    ...(access_mode !== undefined && { access_mode }),
    ...(password_hash !== undefined && { password_hash }),
    ...(max_concurrency !== undefined && { max_concurrency }),
    ...(preview_secrets !== undefined && { preview_secrets: [...preview_secrets] }),
  }
  const closes =
    password !== undefined || viewers !== undefined || (access_mode ?? app.access_mode) !== app.access_mode
  const changed = [...Object.keys(change).filter((key) => key !== 'password_hash')]
  const details = {
    changed: [
      ...changed,
      ...(password === undefined ? [] : ['password']),
      ...(viewers === undefined ? [] : ['viewers']),
    ],
    ...(access_mode !== undefined && { access_mode }),
  }
  const row = await audited(ctx, ofApp('updateApp', app, details), async (tx) => {
    const [stranger] = listed === undefined ? [] : await apps.strangers(tx, app.account_id, listed)
    if (stranger !== undefined) {
      const index = listed?.findIndex(
        (one) => (one.user_id ?? one.group_id) === (stranger.user_id ?? stranger.group_id),
      )
      throw new ServiceError(
        'invalid_request',
        'Viewers are people and groups of the account; invite a person first, or make the app public',
        {
          issues: [{ path: `viewers[${index ?? 0}]`, message: 'is no person and no group of this account' }],
        },
      )
    }
    if (listed !== undefined) await apps.setViewers(tx, app.app_id, listed)
    const row = await apps.update(tx, app.app_id, change, { closes, now: ctx.now() })
    await apps.record(tx, app, 'app.policy_changed', { access_mode: row.access_mode }, ctx.now())
    return row
  })
  return { app: await presentApp(ctx, row) }
}

export const stopApp = (ctx: Changing, input: AppInput) => setDesired(ctx, input, 'stopApp', 'stopped')
export const startApp = (ctx: Changing, input: AppInput) => setDesired(ctx, input, 'startApp', 'serving')

async function setDesired(ctx: Changing, input: AppInput, action: string, desired: DesiredState) {
  const { app } = await requireApp(ctx, input, 'project.app.write')
  if (app.desired === desired) return { app: await presentApp(ctx, app) }
  const row = await audited(ctx, ofApp(action, app), async (tx) => {
    const row = await apps.update(tx, app.app_id, { desired }, { closes: false, now: ctx.now() })
    await apps.record(tx, app, desired === 'stopped' ? 'app.stopped' : 'app.started', {}, ctx.now())
    return row
  })
  return { app: await presentApp(ctx, row) }
}
