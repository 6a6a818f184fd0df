import { setImmediate } from 'node:timers/promises'
import type { BaseContext } from '@svc/context'
import {
  connectors,
  jsonb,
  type ProjectRow,
  projects,
  type ProjectTriggerRow,
  type TriggerAgent,
  triggerCatalogues,
  type TriggerCatalogueRow,
  triggers,
} from '@svc/db'
import { ServiceError } from '@svc/errors'
import { resolveBranch } from '@svc/git'
import { noWishes, type Trigger } from '@svc/manifest'
import { backOffMs } from '@svc/timing'
import { resolveAgent } from '../projects/agent-of.ts'
import { resolveConnectors } from '../projects/connectors-of.ts'
import { runsOn } from '../projects/runs-on.ts'
import { openRepository } from '../projects/repository.ts'
import { declaredTemplate, wishOf } from '../sandboxes/provision/template.ts'
import { type CatalogueReading, noManifest, readCatalogue } from './catalogue-source.ts'
import { declaredConnectors } from './declared-connectors.ts'
import { nextFireOf } from './next-fire.ts'

export type CatalogueContext = Pick<BaseContext, 'db' | 'repositories' | 'vault' | 'now'> & {
  readonly signal: AbortSignal
}

/** A managed repository tells of every change itself; another host has to be asked. */
const checkAgainMs = { managed: 3_600_000, connected: 300_000 } as const
/** The longest turn of work: thousands of schedules, each of a millisecond, let the process do other work in between. */
const maxTurnMs = 20
/** Times that a look starts over because another process finished one meanwhile. */
const rounds = 5

/**
 * Brings a project's triggers in line with the manifest on its default branch. It is read only when its blob, or that of
 * an agent's file, is another one. Throws ServiceError while the repository cannot be reached; what is stored stays.
 */
export async function refreshCatalogue(ctx: CatalogueContext, project: ProjectRow): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const before = await triggerCatalogues.find(ctx.db, project.project_id)
    const repository = await openRepository(ctx, project)
    const tip_sha = await resolveBranch(repository, project.default_branch)
    // One from before verdicts were kept is read anew.
    const known = before?.checked_at == null || before.manifest === null ? undefined : before
    const same = known !== undefined && known.tip_sha === tip_sha
    const read =
      same || tip_sha === null ? null : await readCatalogue(repository, tip_sha, known?.source ?? null)
    const found = same || (tip_sha !== null && read === null) ? 'same' : (read ?? nothing)
    if (await write(ctx, project, before, tip_sha, found)) return
  }
  throw new ServiceError(
    'temporarily_unavailable',
    'The default branch keeps changing; try again in a moment',
    { retry_after: 1 },
  )
}

/** The same where the answer may be as old as the last look. */
export async function tryRefreshCatalogue(ctx: CatalogueContext, project: ProjectRow): Promise<void> {
  try {
    await refreshCatalogue(ctx, project)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

type FoundCatalogue = CatalogueReading | 'same'

/** A repository without a commit, or without a manifest. */
const nothing: CatalogueReading = {
  source: null,
  reading: null,
  wishes: new Map(),
  manifest: noManifest,
}

/** False when another look was written since `before`: this one may be older. */
async function write(
  ctx: CatalogueContext,
  project: ProjectRow,
  before: TriggerCatalogueRow | undefined,
  tip_sha: string | null,
  found: FoundCatalogue,
): Promise<boolean> {
  const { project_id, kind } = project
  const now = ctx.now()
  return ctx.db.transaction().execute(async (tx) => {
    const current = await triggerCatalogues.lock(tx, project_id)
    if (current?.tip_sha !== before?.tip_sha || current?.source !== before?.source) return false
    const { source, errors, manifest } =
      found === 'same'
        ? {
            source: before?.source ?? null,
            errors: before?.errors ?? [],
            manifest: before?.manifest ?? noManifest,
          }
        : {
            source: found.source,
            errors: found.reading?.trigger_errors ?? [],
            manifest: found.manifest,
          }
    if (found !== 'same') {
      const known = new Map((await triggers.list(tx, project_id)).map((row) => [row.slug, row]))
      const paused = current?.paused ?? false
      const rows: ReturnType<typeof rowOf>[] = []
      let began = performance.now()
      for (const [position, trigger] of (found.reading?.triggers ?? []).entries()) {
        const before = known.get(trigger.slug)
        rows.push(rowOf({ project_id, trigger, position, found, before, paused, now }))
        if (performance.now() - began < maxTurnMs) continue
        await setImmediate()
        began = performance.now()
      }
      await triggers.replaceAll(tx, project_id, rows)
      await connectors.declare(tx, project_id, declaredConnectors(found.reading?.manifest ?? null), now)
    }
    // A change was told since this look began: the next look stays due.
    const changed = before !== undefined && current?.check_at.getTime() !== before.check_at.getTime()
    const later = new Date(now.getTime() + checkAgainMs[kind])
    const check_at = changed ? (current?.check_at ?? later) : later
    await triggerCatalogues.checked(tx, {
      ...{ project_id, tip_sha, source, errors, manifest },
      ...{ checked_at: now, check_at },
    })
    return true
  })
}

interface Entry {
  readonly project_id: string
  readonly trigger: Trigger
  readonly position: number
  readonly found: CatalogueReading
  readonly before: ProjectTriggerRow | undefined
  readonly paused: boolean
  readonly now: Date
}

function rowOf({ project_id, trigger, position, found, before, paused, now }: Entry) {
  const { slug, type, enabled } = trigger
  const agent = agentOf(found, trigger)
  const next_fire_at = nextFireOf(trigger, before, paused, now)
  const kept = before !== undefined && before.next_fire_at?.getTime() === next_fire_at?.getTime()
  return {
    project_id,
    slug,
    position,
    type,
    definition: jsonb(trigger),
    agent: agent.kind === 'agent' ? jsonb(agent.agent) : null,
    agent_error: agent.kind === 'none' ? agent.error : null,
    enabled,
    next_fire_at,
    due_at: kept ? (before.due_at ?? next_fire_at) : next_fire_at,
    created_at: now,
    updated_at: now,
  }
}

type FoundAgent =
  { readonly kind: 'agent'; readonly agent: TriggerAgent } | { readonly kind: 'none'; readonly error: string }

function agentOf({ reading, wishes }: CatalogueReading, trigger: Trigger): FoundAgent {
  try {
    const manifest = reading?.manifest ?? null
    const wished = wishes.get(trigger.agent) ?? noWishes
    const resolved = resolveAgent(manifest, trigger.agent)
    const { connectors, required } = resolveConnectors(manifest, trigger.agent)
    const template = manifest && declaredTemplate(manifest, resolved.agent_name, undefined)
    const agent = {
      ...resolved,
      connectors,
      connectors_required: required,
      model: wished.model,
      ...runsOn(manifest, wished),
      ...(template === null ? {} : { template: wishOf(template) }),
    }
    return { kind: 'agent', agent }
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'none', error: error.message }
    throw error
  }
}

/** Says that a default branch may have moved; a scheduler looks at it. */
export async function noteDefaultBranch(
  ctx: Pick<BaseContext, 'db' | 'now'>,
  input: { project_id: string },
): Promise<void> {
  await triggerCatalogues.markChanged(ctx.db, input.project_id, ctx.now())
}

type RefreshContext = CatalogueContext & Pick<BaseContext, 'log' | 'enqueue'>

const claimedMs = 120_000
const maxBackoffMs = 3_600_000

/** Looks at the default branches whose time has come; how many there were. */
export async function refreshDueCatalogues(ctx: RefreshContext, limit: number): Promise<number> {
  const now = ctx.now()
  // Put off before the look: a scheduler that dies in the middle of one leaves it to another.
  const until = new Date(now.getTime() + claimedMs)
  const due = await triggerCatalogues.claimDue(ctx.db, now, until, limit)
  await Promise.all(due.map((project_id) => refreshDue(ctx, project_id, until)))
  return due.length
}

async function refreshDue(ctx: RefreshContext, project_id: string, until: Date): Promise<void> {
  const project = await projects.find(ctx.db, project_id)
  if (project?.status !== 'active') return triggerCatalogues.retire(ctx.db, project_id)
  try {
    await refreshCatalogue(ctx, project)
    await ctx.enqueue('merge', 'repository.maintain', { project_id })
  } catch (error) {
    // Handed over: another scheduler need not wait for the claim to run out.
    if (ctx.signal.aborted) return triggerCatalogues.release(ctx.db, project_id, until, ctx.now())
    const failures = (await triggerCatalogues.find(ctx.db, project_id))?.failures ?? 0
    const backoff = backOffMs(failures, 30_000, maxBackoffMs)
    ctx.log.warn({ err: error, project_id }, 'the triggers of a project were not read')
    const now = ctx.now()
    await triggerCatalogues.checkFailed(ctx.db, project_id, now, new Date(now.getTime() + backoff))
  }
}
