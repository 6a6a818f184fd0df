import { type Context, mayAlso, requireAccount, requireProject } from '@svc/context'
import { platformEvents } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type EventType, eventTypes, typesOf } from '@svc/event'
import { presentEvent, type PresentedEvent } from './present.ts'

/** Events of an account, of all its projects or one, or of a project. */
export interface EventLogInput {
  readonly account_id?: string | undefined
  readonly project_id?: string | undefined
  /** Patterns. */
  readonly types?: readonly string[] | undefined
  readonly after: number
  readonly limit: number
}

type ReadContext = Pick<Context, 'db' | 'principal' | 'trail' | 'settings'>

interface Scope {
  readonly account_id: string
  readonly project_id: string | null
  readonly types: readonly string[] | null
}

async function scopeOf(ctx: ReadContext, input: EventLogInput): Promise<Scope> {
  const { project_id, types } = input
  const asked = types === undefined || types.length === 0 ? null : wholeTypes(types)
  if (input.account_id !== undefined) {
    const { account_id } = await requireAccount(ctx, input.account_id, 'admin')
    return { account_id, project_id: project_id ?? null, types: asked }
  }
  const project = await requireProject(ctx, project_id ?? '', 'project.read')
  // Events of sessions are for those who may read sessions.
  const seen = mayAlso(ctx.principal, 'project.session.read', project)
    ? asked
    : (asked ?? eventTypes).filter((type) => !type.startsWith('session.'))
  return { account_id: project.account_id, project_id: project.project_id, types: seen }
}

function wholeTypes(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern): readonly EventType[] => {
    const types: readonly EventType[] = pattern === 'ping' ? [pattern] : typesOf(pattern)
    if (types.length > 0) return types
    const message = `${pattern} is no type of event; \`svc events types\` lists them`
    throw new ServiceError('invalid_request', `types: ${message}`, { issues: [{ path: 'types', message }] })
  })
}

async function page(ctx: ReadContext, scope: Scope, after: number, limit: number) {
  const { account_id } = scope
  const { first, last } = await platformEvents.bounds(ctx.db, account_id)
  const oldest = first ?? last + 1
  if (after > 0 && after < oldest - 1)
    throw new ServiceError(
      'events_expired',
      `Events after ${after} are kept no more; go on from ${oldest - 1}, and read anew what you keep of the platform`,
      { first_sequence: oldest },
    )
  const rows = await platformEvents.list(ctx.db, { ...scope, after, limit })
  return {
    events: rows.map((row) => presentEvent(ctx.settings, row)),
    last_sequence: last,
    full: rows.length === limit,
  }
}

/** In order of their sequence. A page that is not full ends with the newest. */
export async function listEvents(ctx: ReadContext, input: EventLogInput) {
  const { full: _, ...found } = await page(ctx, await scopeOf(ctx, input), input.after, input.limit)
  return found
}

export interface StreamedPlatformEvent {
  readonly id: number
  readonly event: PresentedEvent
}

const batch = 100
/** The greatest time until a stream looks by itself: a word of the database may be lost. */
const lookMs = 10_000
/** The greatest age of what is known of the reader's rights. */
const scopeMs = 5_000
/** A stream ends after this time, and the next one goes on where it was. */
const maxMs = 600_000

/** The same as they are published, from `after` on, until the request ends. */
export async function followEvents(
  ctx: ReadContext & Pick<Context, 'listener' | 'signal' | 'now'>,
  input: EventLogInput,
): Promise<AsyncIterable<StreamedPlatformEvent>> {
  const scope = await scopeOf(ctx, input)
  // Refused before the stream begins.
  await page(ctx, scope, input.after, 1)
  return follow(ctx, input, scope)
}

async function* follow(
  ctx: ReadContext & Pick<Context, 'listener' | 'signal' | 'now'>,
  input: EventLogInput,
  first: Scope,
): AsyncGenerator<StreamedPlatformEvent> {
  const began = ctx.now().getTime()
  let scope = { read: first, at: began }
  let { after } = input
  let woken = true
  let wake = () => {}
  const rouse = () => {
    woken = true
    wake()
  }
  const stop = ctx.listener.subscribe('published', (word) => {
    if (word === null || word.account_id === first.account_id) rouse()
  })
  const look = setInterval(rouse, lookMs)
  ctx.signal.addEventListener('abort', rouse)
  try {
    while (!ctx.signal.aborted && ctx.now().getTime() - began < maxMs) {
      if (!woken)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (ctx.signal.aborted) return
      woken = false
      const now = ctx.now().getTime()
      if (now - scope.at > scopeMs) scope = { read: await scopeOf(ctx, input), at: now }
      const { events, full } = await page(ctx, scope.read, after, batch)
      for (const event of events) yield { id: event.sequence, event }
      after = events.at(-1)?.sequence ?? after
      if (full) woken = true
    }
  } catch (error) {
    // The next stream is refused in these words.
    if (!(error instanceof ServiceError)) throw error
  } finally {
    clearInterval(look)
    ctx.signal.removeEventListener('abort', rouse)
    stop()
  }
}
