import type { budgets, Db } from '@svc/db'
import { sessions, tokens } from '@svc/db'
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
  db: Db,
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
  if (project_id !== null && !(await isThere(db, project_id, level, subject)))
    throw invalid('subject', `must be a ${level} of this project`)
  return { level, subject: level === 'session' || level === 'key' ? subject.toLowerCase() : subject, period }
}

/** Triggers and agents may come later: those of the manifest are not asked for. */
async function isThere(db: Db, project_id: string, level: BudgetLevel, subject: string): Promise<boolean> {
  if (level === 'session') return (await sessions.find(db, { project_id, session_id: subject })) !== undefined
  if (level === 'key') return (await tokens.find(db, subject))?.project_id === project_id
  return true
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] })
}
