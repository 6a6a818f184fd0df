import type { Context } from '@svc/context'
import { requireOwnSandbox, appendEvents } from './report-turn-stream.ts'

interface Question {
  readonly project_id: string
  readonly session_id: string
  readonly request_id: string
  readonly questions: readonly unknown[]
}

interface Permission {
  readonly project_id: string
  readonly session_id: string
  readonly request_id: string
  readonly permission: string
  readonly patterns: readonly string[]
}

type AskContext = Pick<Context, 'db' | 'principal' | 'now' | 'metrics' | 'settings'>

export async function reportTurnQuestion(ctx: AskContext, ask: Question): Promise<{ ok: true }> {
  const { request_id, questions } = ask
  return record(ctx, ask, 'question', { request_id, questions, state: 'asked' })
}

export async function reportTurnPermission(ctx: AskContext, ask: Permission): Promise<{ ok: true }> {
  const { request_id, permission, patterns } = ask
  return record(ctx, ask, 'permission', { request_id, permission, patterns, state: 'asked' })
}

async function record(
  ctx: AskContext,
  ask: Question | Permission,
  type: 'question' | 'permission',
  payload: Record<string, unknown>,
): Promise<{ ok: true }> {
  const sandbox = requireOwnSandbox(ctx, ask)
  const event_id = `${type}:${ask.request_id}`
  await appendEvents(ctx, sandbox, [{ type, at: ctx.now(), payload, event_id }])
  return { ok: true }
}
