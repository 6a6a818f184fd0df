import type { Client, Session, SessionEvent } from '@svc/sdk'

/** Follows a session until the awaited event comes. */
export async function awaitEvent(
  client: Client,
  { project_id, session_id }: Session,
  subject: string,
  isIt: (event: SessionEvent) => boolean,
  after = 0,
): Promise<SessionEvent> {
  const signal = AbortSignal.timeout(300_000)
  try {
    for await (const event of client.projects.sessions.stream(project_id, session_id, { after, signal })) {
      if (isIt(event)) return event
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  throw new Error(`No event came: ${subject}`)
}

/** A command that the agent runs has begun and has not ended. */
export const commandRuns =
  (part: string) =>
  (event: SessionEvent): boolean =>
    event.type === 'tool' && event.status === 'running' && JSON.stringify(event.input ?? '').includes(part)

export async function allEvents(
  client: Client,
  { project_id, session_id }: Pick<Session, 'project_id' | 'session_id'>,
): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for (;;) {
    const page = await client.projects.sessions.events(project_id, session_id, {
      after: events.at(-1)?.seq ?? 0,
    })
    if (page.events.length === 0) return events
    events.push(...page.events)
  }
}
