import type { Client, Session, SessionEvent } from '@svc/sdk'
import { narrate } from './narrate.ts'

/** Tells the agent's steps until its turn ends; a turn that does not end well ends the demo with its reason. */
export async function followTurn(client: Client, session: Session): Promise<void> {
  for await (const event of client.projects.sessions.stream(session.project_id, session.session_id)) {
    const text = describe(event)
    if (text !== null) narrate.detail(text)
    if (event.type === 'status' && (event.status === 'failed' || event.status === 'stopped')) {
      throw new Error(`The session is ${String(event.status)}: ${JSON.stringify(event.failure)}`)
    }
    if (event.type === 'turn' && event.state === 'end') {
      if (event.status === 'completed') return
      throw new Error(`The turn ended as ${String(event.status)}: ${String(event.error)}`)
    }
  }
}

function describe(event: SessionEvent): string | null {
  if (event.type === 'status') return `session ${String(event.status)}`
  if (event.type === 'tool' && event.status === 'completed')
    return `tool ${String(event.tool)}: ${summary(event)}`
  if (event.type === 'message' && event.role === 'assistant' && event.text)
    return `agent: ${String(event.text)}`
  return null
}

function summary(event: SessionEvent): string {
  const input: unknown = event.input
  if (typeof input === 'object' && input !== null) {
    if ('command' in input) return String(input.command)
    if ('filePath' in input) return String(input.filePath)
  }
  return typeof event.title === 'string' ? event.title : ''
}
