import type { Client, Session, SessionEvent } from '@svc/sdk'
import { narrate } from './narrate.ts'

/** Tells the agent's steps until its turn ends; a turn that does not end well ends the demo with its reason. */
export async function followTurn(client: Client, session: Session): Promise<void> {
  for await (const event of client.projects.sessions.stream(session.project_id, session.session_id)) {
    const text = describe(event)
    if (text !== null) narrate.detail(text)
    if (event.type === 'runtime' && event.state === 'installing')
      narrate.progress('installing the agent', Number(event.bytes_done), Number(event.bytes))
    if (event.type === 'status' && (event.status === 'failed' || event.status === 'stopped')) {
      throw new Error(`The session is ${String(event.status)}: ${reasonOf(event.failure)}`)
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

function reasonOf(failure: unknown): string {
  const isNamed = typeof failure === 'object' && failure !== null && 'message' in failure
  return isNamed ? String(failure.message) : JSON.stringify(failure)
}

/** Agents call the same things differently. */
const inputNames = ['command', 'cmd', 'filePath', 'file_path', 'path']

function summary({ input, title }: SessionEvent): string {
  const given = new Map<string, unknown>(Object.entries(Object(input)))
  const name = inputNames.find((one) => given.has(one))
  if (name !== undefined) return String(given.get(name))
  return typeof title === 'string' ? title : ''
}
