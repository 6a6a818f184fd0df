import { randomUUID } from 'node:crypto'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { permissionOptions } from './tool-call.ts'
import { type Session, say, update } from './session.ts'

/** The misbehaviours of a turn, before the model is asked. */
export async function misbehave(session: Session): Promise<void> {
  const { fault } = session.settings
  if (fault.garbage > 0) await writeGarbage(session, fault.garbage)
  if (fault.long_line) await session.raw([`${'x'.repeat(33 * 1024 * 1024)}\n`])
  for (let index = 0; index < fault.unknown_updates; index += 1) {
    const unknown = { sessionUpdate: `kind_of_a_later_version_${index}`, anything: { at: [index] } }
    await session.client.notify<object>('session/update', { sessionId: session.id, update: unknown })
  }
  if (fault.flood) await flood(session, fault.flood)
  if (fault.read_outside) await readOutside(session)
  if (fault.permission_storm > 0) await storm(session, fault.permission_storm)
}

/** Lines that are no JSON-RPC, halves of lines among them, and one message whose halves come apart. */
async function writeGarbage(session: Session, lines: number): Promise<void> {
  const kinds = [
    'Debugger listening on',
    '{"jsonrpc":"2.0","method":"sess',
    '42',
    '"word"',
    'null',
    '[]',
    '{}',
    '',
  ]
  for (let index = 0; index < lines; index += 1) await session.raw([`${kinds[index % kinds.length]}\n`])
  const content = { type: 'text', text: 'in halves ' }
  const params = { sessionId: session.id, update: { sessionUpdate: 'agent_message_chunk', content } }
  const line = JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })
  await session.raw([line.slice(0, 30), `${line.slice(30)}\n`])
}

async function flood(session: Session, bytes: { text_bytes: number; tool_bytes: number }): Promise<void> {
  const message_id = randomUUID()
  const piece = `${'flood '.repeat(2730)}\n`
  for (let sent = 0; sent < bytes.text_bytes; sent += piece.length) await say(session, piece, message_id)
  if (bytes.tool_bytes === 0) return
  const toolCallId = randomUUID()
  await update(session, {
    sessionUpdate: 'tool_call',
    toolCallId,
    title: 'flood',
    kind: 'execute',
    status: 'pending',
  })
  for (let sent = 0; sent < bytes.tool_bytes; sent += piece.length) {
    await update(session, {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'in_progress',
      content: [{ type: 'content', content: { type: 'text', text: piece } }],
    })
  }
  await update(session, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' })
}

/** Tries to read out of the workspace in three ways, and says the answer to each. */
async function readOutside(session: Session): Promise<void> {
  const link = join(session.cwd, 'link-outside')
  rmSync(link, { force: true })
  symlinkSync('/etc/passwd', link)
  for (const path of ['../../etc/passwd', `${session.cwd}/../../../../../../etc/passwd`, link]) {
    const result = await session.client.request('fs/read_text_file', { sessionId: session.id, path }).then(
      () => 'was read',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    await say(session, `${path}: ${result}\n`)
  }
}

/** Asks for many permissions at once, and says how many answers of each kind came. */
async function storm(session: Session, count: number): Promise<void> {
  const counts: Record<string, number> = {}
  const ask = async (index: number): Promise<void> => {
    const toolCallId = randomUUID()
    const call = { toolCallId, title: `storm ${index}`, kind: 'execute' as const, status: 'pending' as const }
    await update(session, { sessionUpdate: 'tool_call', ...call })
    const { outcome } = await session.client.request('session/request_permission', {
      sessionId: session.id,
      toolCall: { ...call, rawInput: { command: `storm ${index}` } },
      options: permissionOptions,
    })
    const word = outcome.outcome === 'selected' ? outcome.optionId : 'cancelled'
    counts[word] = (counts[word] ?? 0) + 1
    const status = word === 'once' || word === 'always' ? 'completed' : 'failed'
    await update(session, { sessionUpdate: 'tool_call_update', toolCallId, status })
  }
  await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
  await say(session, `storm: ${JSON.stringify(counts)}\n`)
}

/** Updates of a replay, which a client that keeps its own record drops. */
export async function replay(session: Session, count: number, word: string): Promise<void> {
  for (let index = 0; index < count; index += 1) await say(session, `replayed ${word} ${index}`)
}
