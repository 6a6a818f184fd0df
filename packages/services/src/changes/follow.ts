import { setTimeout as pause } from 'node:timers/promises'
import { type Context, requireUser } from '@svc/context'
import type { ListenPayloads } from '@svc/db'
import { inboxScope, type InboxScope } from '../inbox/scope.ts'

type FollowContext = Pick<Context, 'db' | 'principal' | 'trail' | 'listener' | 'signal' | 'now'>

/** `hello` says that changes may have been missed: the page reads again what it shows. */
export type ChangeEvent =
  | { readonly type: 'hello' }
  | {
      readonly type: 'changed'
      readonly kind: string
      /** Null for what is the person's own. */
      readonly project_id: string | null
      readonly id: string
    }

export interface StreamedChange {
  readonly id: null
  readonly event: ChangeEvent
}

/** Changes that come in this time are sent together. */
const coalesceMs = 250
/** The greatest age of what is known of the person's rights. */
const scopeMs = 5_000
/** A stream ends after this time: the next one asks anew who is there. */
const maxMs = 600_000

/** Changes in the projects of a person, by ids alone, until the request ends. */
export async function followChanges(ctx: FollowContext): Promise<AsyncIterable<StreamedChange>> {
  const { user_id } = requireUser(ctx)
  return follow(ctx, user_id, await inboxScope(ctx))
}

async function* follow(
  ctx: FollowContext,
  user_id: string,
  first: InboxScope,
): AsyncGenerator<StreamedChange> {
  const began = ctx.now().getTime()
  let scope = { read: first, at: began }
  const waiting = new Map<string, ListenPayloads['change']>()
  let missed = false
  let notified = false
  let wake = () => {}
  const stop = ctx.listener.subscribe('change', (change) => {
    if (change === null) missed = true
    else waiting.set(`${change.kind} ${change.project_id} ${change.id}`, change)
    wake()
  })
  const own = ctx.listener.subscribe(
    'notification',
    (word) => {
      if (word === null) missed = true
      else notified = true
      wake()
    },
    user_id,
  )
  const onAbort = () => wake()
  ctx.signal.addEventListener('abort', onAbort)
  const end = setTimeout(() => wake(), maxMs)
  try {
    yield said({ type: 'hello' })
    missed = false
    while (!ctx.signal.aborted && ctx.now().getTime() - began < maxMs) {
      if (missed) yield said({ type: 'hello' })
      missed = false
      if (waiting.size === 0 && !notified) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        await pause(coalesceMs, undefined, { signal: ctx.signal }).catch(() => {})
        continue
      }
      if (notified) {
        notified = false
        yield said({ type: 'changed', kind: 'notification', project_id: null, id: user_id })
      }
      const now = ctx.now().getTime()
      const unknown = [...waiting.values()].some(({ project_id }) => !scope.read.projects.has(project_id))
      if (unknown || now - scope.at > scopeMs) scope = { read: await inboxScope(ctx), at: now }
      const changes = [...waiting.values()]
      waiting.clear()
      for (const { kind, project_id, id } of changes)
        if (scope.read.projects.has(project_id)) yield said({ type: 'changed', kind, project_id, id })
    }
  } finally {
    clearTimeout(end)
    ctx.signal.removeEventListener('abort', onAbort)
    stop()
    own()
  }
}

const said = (event: ChangeEvent): StreamedChange => ({ id: null, event })
