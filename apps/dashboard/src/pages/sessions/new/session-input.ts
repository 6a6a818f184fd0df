import type { CreateSessionInput, QueuedSession, Session } from '@svc/sdk'

/** The form as it stands; an empty field leaves the choice to the project. */
export interface SessionFields {
  readonly agent: string
  readonly model: string
  readonly harness: string
  readonly base: string
  readonly prompt: string
}

export function sessionInput({ agent, model, harness, base, prompt }: SessionFields): CreateSessionInput {
  return {
    ...(agent.trim() === '' ? {} : { agent_name: agent.trim() }),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    ...(harness === '' ? {} : { harness }),
    ...(base.trim() === '' ? {} : { base_ref: base.trim() }),
    ...(prompt.trim() === '' ? {} : { initial_prompt: prompt }),
  }
}

/** True when it waits for room; a create that was only answered early is there already. */
export function waitsForRoom(made: Session | QueuedSession): made is QueuedSession {
  return 'command_id' in made && made.reason === 'session_limit'
}
