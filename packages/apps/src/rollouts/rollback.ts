import { audited, decodeCursor, encodeCursor, requireActor, requireWritesOpen } from '@svc/context'
import { appReleases, type AppReleaseRow, appRollouts, type AppRolloutRow, type AppRow, apps } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import { type AppInput, ofApp, requireApp } from '../app/find-app.ts'
import type { Changing, Looking, Reading } from '../context.ts'
import { requireMoney } from '../meter/money.ts'

export interface RollbackInput extends AppInput {
  readonly number?: number | undefined
  /** Number of the release that the caller takes for the current one. */
  readonly expected_current?: number | undefined
}

/** Leads the address of an app back to an earlier release, which is looked at first. */
export async function rollbackApp(ctx: Reading, input: RollbackInput) {
  const { app } = await requireApp(ctx, input, 'project.app.deploy')
  const asked_by = requireActor(ctx)
  requireWritesOpen(ctx)
  const channel = await apps.findChannel(ctx.db, { app_id: app.app_id, kind: 'production', cr_id: null })
  const current = channel?.current_release_id
    ? await appReleases.find(ctx.db, channel.current_release_id)
    : undefined
  if (channel === undefined || current === undefined)
    throw new ServiceError(
      'app_release_not_ready',
      `${app.name} shows no release yet; there is nothing to go back from`,
    )
  if (input.expected_current !== undefined && input.expected_current !== current.number)
    throw new ServiceError('conflict', `${app.name} shows release ${current.number} by now; look again`, {
      current: current.number,
    })
  const target = await targetOf(ctx, app, input, channel.channel_id)
  if (target.config.run !== undefined) await requireMoney(ctx, app)
  const rollout = await audited(
    ctx,
    ofApp('rollbackApp', app, { from: current.number, to: target.number }),
    async (tx) => {
      const row = await appRollouts.insert(tx, {
        ...{ rollout_id: ctx.newId(), app_id: app.app_id, channel_id: channel.channel_id, kind: 'rollback' },
        ...{ to_release_id: target.release_id, expected_release_id: current.release_id },
        ...{ asked_by, created_at: ctx.now() },
      })
      if (row !== undefined) return row
      const open = await appRollouts.findOpen(tx, channel.channel_id)
      throw new ServiceError(
        'app_rollout_in_progress',
        `${app.name} is being moved already; wait for its end`,
        {
          rollout: open && {
            rollout_id: open.rollout_id,
            rollout_status: open.status,
            created_at: open.created_at,
          },
        },
      )
    },
  )
  await ctx.enqueue('app', 'app.rollout', { rollout_id: rollout.rollout_id })
  return { rollout: present(app, { ...rollout, from_number: current.number, to_number: target.number }) }
}

async function targetOf(
  ctx: Pick<Changing, 'db'>,
  app: AppRow,
  { number }: RollbackInput,
  channel_id: string,
): Promise<AppReleaseRow> {
  if (number === undefined) {
    const before = await appRollouts.shownBefore(ctx.db, channel_id)
    const target = before?.from_release_id
      ? await appReleases.find(ctx.db, before.from_release_id)
      : undefined
    if (target === undefined)
      throw new ServiceError(
        'app_release_not_ready',
        `${app.name} has shown one release alone; name another by number`,
      )
    return target
  }
  const target = await appReleases.findNumber(ctx.db, app.app_id, number)
  if (target === undefined)
    throw number <= app.last_number
      ? new ServiceError(
          'app_release_expired',
          `Release ${number} is kept no more; list the releases, or release its commit anew`,
          { number },
        )
      : new ServiceError('not_found', `${app.name} has no release ${number}; list its releases`)
  if (target.status !== 'ready' || target.channel_id !== channel_id)
    throw new ServiceError(
      'app_release_not_ready',
      target.channel_id === channel_id
        ? `Release ${number} is ${target.status}; only one that is ready takes traffic`
        : `Release ${number} is a preview; merge its change request to show it`,
      { number, release_status: target.status },
    )
  return target
}

type Numbered = AppRolloutRow & { readonly from_number: number | null; readonly to_number: number }

function present({ name }: AppRow, row: Numbered) {
  const { rollout_id, kind, status, error, from_number, to_number, created_at, switched_at, finished_at } =
    row
  return {
    rollout_id,
    app: name,
    kind,
    from_number,
    to_number,
    status,
    error,
    created_at,
    switched_at,
    finished_at,
  }
}

const Cursor = z.object({ created_at: z.iso.datetime(), rollout_id: z.uuid() })

export interface ListRolloutsInput extends AppInput {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A page of the moves of an app's addresses, the newest first. */
export async function listAppRollouts(ctx: Looking, input: ListRolloutsInput) {
  const { limit, cursor } = input
  const after = cursor === undefined ? undefined : decodeCursor(Cursor, cursor)
  const { app } = await requireApp(ctx, input, 'project.app.read')
  const rows = await appRollouts.list(ctx.db, {
    app_id: app.app_id,
    before: after && { ...after, created_at: new Date(after.created_at) },
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    rollouts: page.map((row) => present(app, row)),
    ...(last && {
      next_cursor: encodeCursor({ created_at: last.created_at.toISOString(), rollout_id: last.rollout_id }),
    }),
  }
}
