import type { Client, CreateSessionInput, Session, SessionEvent } from '@svc/sdk'

/** The orders of the demo model, one step at a time; it stops at the first tool that fails. */
export type Step = { readonly tool: string; readonly input: object } | { readonly say: string }

export function bash(command: string): Step {
  return { tool: 'bash', input: { command, description: 'A step of the script' } }
}

export function write(filePath: string, content: string): Step {
  return { tool: 'write', input: { filePath, content } }
}

export const loadSkill = (name: string): Step => ({ tool: 'skill', input: { name } })

export const commitAndPush = (message: string): Step =>
  bash(`git add -A && git commit -q -m '${message}' && git push -q && git log --oneline -1`)

/**
 * Says `sent 1` where the platform sent the repository: refs that a daemon fetched itself are in a file for each
 * branch.
 */
export const isSent = 'echo "sent $(grep -c "refs/remotes/origin/main$" .git/packed-refs)"'

/** A prompt that makes the scripted model use the runtime's real tools. */
export function script(...steps: readonly Step[]): string {
  // A script within a script, for another agent, does not end the block.
  return `Do this:\n\`\`\`svc-script\n${JSON.stringify(steps).replaceAll('`', String.raw`\u0060`)}\n\`\`\``
}

export interface Turn {
  readonly events: readonly SessionEvent[]
  readonly status: string
  readonly error: string | null
  /** The answers of the tools, oldest first. */
  readonly outputs: readonly string[]
}

/** A session whose first turn has ended. */
export async function startSession(
  client: Client,
  project_id: string,
  steps: readonly Step[],
  input: CreateSessionInput = {},
): Promise<{ session: Session; turn: Turn }> {
  const session = await client.projects.sessions.create(project_id, {
    initial_prompt: script(...steps),
    ...input,
  })
  const turn = await awaitTurn(client, session)
  return { session, turn }
}

/** Sends a prompt and follows the session until the turn that answers it has ended. */
export async function promptAgent(
  client: Client,
  session: Session,
  ...steps: readonly Step[]
): Promise<Turn> {
  const { project_id, session_id } = session
  const after = await lastSeq(client, session)
  const { prompt_id } = await client.projects.sessions.prompt(project_id, session_id, {
    text: script(...steps),
  })
  return awaitTurn(client, session, { after, prompt_id })
}

export async function lastSeq(client: Client, { project_id, session_id }: Session): Promise<number> {
  let last = 0
  for (;;) {
    const page = await client.projects.sessions.events(project_id, session_id, { after: last })
    if (page.events.length === 0) return last
    last = page.last_seq
  }
}

/** The next turn to end after the sequence number, or the one of a prompt; a session that cannot go on is an error. */
export async function awaitTurn(
  client: Client,
  { project_id, session_id }: Session,
  {
    after = 0,
    prompt_id,
    signal = AbortSignal.timeout(300_000),
  }: { after?: number; prompt_id?: string; signal?: AbortSignal } = {},
): Promise<Turn> {
  const events: SessionEvent[] = []
  for await (const event of client.projects.sessions.stream(project_id, session_id, { after, signal })) {
    events.push(event)
    if (event.type === 'status' && event.status === 'failed') {
      throw new Error(`The session failed: ${JSON.stringify(event.failure)}`)
    }
    if (event.type !== 'turn' || event.state !== 'end') continue
    if (prompt_id !== undefined && event.prompt_id !== prompt_id) continue
    return { events, status: String(event.status), error: textOf(event.error), outputs: outputsOf(events) }
  }
  throw new Error('The stream ended before the turn')
}

function outputsOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'tool' && (event.status === 'completed' || event.status === 'error')
      ? [textOf(event.output) ?? textOf(event.error) ?? '']
      : [],
  )
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
