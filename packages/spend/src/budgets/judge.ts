import type { budgets, Db, ProjectRow } from '@svc/db'
import { projects, sessions, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type BudgetLevel, type BudgetPeriod, slugPattern } from '@svc/facts'
import { z } from 'zod'

export interface WantedBudget {
  readonly level: BudgetLevel
  readonly subject?: string | null | undefined
  readonly period?: BudgetPeriod | undefined
}

/** A budget, by what it is of and for how long. */
export interface JudgedBudget {
  readonly level: BudgetLevel
  readonly subject: string | null
  readonly period: BudgetPeriod
}

export interface Judging {
  readonly db: Db
  /** The names in the manifest on the default branch; null where there is none. */
  declaredNames(project: ProjectRow): Promise<DeclaredNames | null>
}

export interface DeclaredNames {
  readonly agents: readonly string[]
  readonly triggers: readonly string[]
}

const namesShown = 10
const uuid = z.uuid()
const agentName = z.string().min(1).max(255)

const subjects: Readonly<
  Partial<Record<BudgetLevel, { readonly schema: z.ZodType; readonly words: string }>>
> = {
  session: { schema: uuid, words: 'must be the id of a session' },
  key: { schema: uuid, words: 'must be the `token_id` of a key' },
  trigger: { schema: z.string().regex(slugPattern), words: 'must be the slug of a trigger' },
  agent: { schema: agentName, words: 'must be the name of an agent' },
}

/** The budget as its row has it; refuses a level, a subject or a period that makes none. */
export async function judgeBudget(
  ctx: Judging,
  { project_id }: budgets.BudgetPlace,
  { level, subject: given, period: asked }: WantedBudget,
): Promise<JudgedBudget> {
  if (project_id === null && level !== 'account' && level !== 'project')
    throw invalid('level', 'must be account or project: an account has no other budgets')
  if (project_id !== null && level === 'account')
    throw invalid('level', 'must not be account: that is a budget of the account itself')
  const period = asked ?? (level === 'call' ? 'call' : undefined)
  if (period === undefined) throw invalid('period', 'must be hour, day, week, month or total')
  if ((level === 'call') !== (period === 'call'))
    throw invalid('period', 'must be call for the level call, and for it alone')
  const subject = given ?? null
  if (subject === null) return { level, subject, period }
  const rule = subjects[level]
  if (rule === undefined) throw invalid('subject', `must be left out: a budget of level ${level} names none`)
  if (!rule.schema.safeParse(subject).success) throw invalid('subject', rule.words)
  const missing = project_id === null ? null : await missingOf(ctx, project_id, level, subject)
  if (missing !== null) throw invalid('subject', missing)
  return { level, subject: level === 'session' || level === 'key' ? subject.toLowerCase() : subject, period }
}

/** Refuses a subject that the project does not have, since its budget would hold nothing: the words; null for one that it has. */
async function missingOf(
  ctx: Judging,
  project_id: string,
  level: BudgetLevel,
  subject: string,
): Promise<string | null> {
  const { db } = ctx
  if (level === 'session' || level === 'key') {
    const found =
      level === 'session'
        ? (await sessions.find(db, { project_id, session_id: subject })) !== undefined
        : (await tokens.find(db, subject))?.project_id === project_id
    return found ? null : `must be a ${level} of this project`
  }
  const project = await projects.find(db, project_id)
  const declared = project === undefined ? null : await ctx.declaredNames(project)
  // A repository without a manifest has an agent of any name.
  if (level === 'agent' && declared === null) return null
  const known = level === 'agent' ? declared?.agents : declared?.triggers
  if (known?.includes(subject)) return null
  const others = known?.length ? `declared are ${known.slice(0, namesShown).join(', ')}` : 'none is declared'
  return `must be the ${level} of a name that svc.yaml declares on the default branch: ${others}; declare it first, or leave the subject out for each of them`
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] })
}
