import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Client } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { lastSeq } from '../../chat/last-seq.ts'
import { type Conversation, runTurn } from '../../chat/run-turn.ts'
import type { TurnEnd } from '../../chat/turn.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { ask, canAsk } from '../../output/ask.ts'
import { oneLine } from '../../output/plain.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

interface Flags extends ProjectFlag {
  readonly prompt?: string
  readonly new?: true
}

export const chat: Configure = (command, cli) => {
  command
    .argument('[id]', 'the id, or its start; else the newest session')
    .option('--prompt <text>', 'send this, follow the turn to its end, and leave')
    .option('--new', 'start a session for it')
  projectFlag(command).action(async (given: string | undefined, flags: Flags) => {
    if (given !== undefined && flags.new)
      throw new UsageError('an id and --new exclude each other', 'give one of them')
    const prompt = flags.prompt ?? (canAsk(cli.io) ? null : await text(cli.io.stdin))
    if (prompt?.trim() === '')
      throw new UsageError(
        'no message',
        'svc sessions chat --prompt <text>, or svc sessions transcript <id> to read',
      )
    const { client, project_id } = await cli.project(flags.project)
    const session_id = await pick(cli, client, project_id, given, flags.new === true)
    const conversation = { cli, client, project_id, session_id }
    const after = flags.new ? 0 : await lastSeq(client, project_id, session_id)
    if (prompt === null) return converse(conversation, after)
    const { end } = await runTurn(conversation, prompt, after)
    if (end.status !== 'completed') throw new OperationError(sentence(end), `svc sessions info ${session_id}`)
  })
}

async function pick(cli: Cli, client: Client, project_id: string, given: string | undefined, fresh: boolean) {
  if (given !== undefined) return findSessionId(client, project_id, given)
  const sessions = fresh ? [] : (await client.projects.sessions.list(project_id)).items
  const newest = sessions.find(({ status }) => status !== 'failed')
  const session =
    newest ?? (await client.projects.sessions.create(project_id, {}, { idempotency_key: randomUUID() }))
  cli.out.note(`${newest === undefined ? 'New session' : 'Session'} ${session.session_id}`)
  return session.session_id
}

async function converse(conversation: Conversation, start: number): Promise<void> {
  const { cli } = conversation
  cli.out.note('Ctrl-C stops the agent, Ctrl-D leaves.')
  for (let after = start; ;) {
    const message = await ask(cli.io, '> ')
    if (message === null) return
    if (message.trim() === '') continue
    const { end, last_seq } = await runTurn(conversation, message, after)
    after = last_seq
    if (end.status !== 'completed') cli.out.note(oneLine(sentence(end)))
  }
}

function sentence({ status, message }: TurnEnd): string {
  const words = {
    completed: 'the turn is complete',
    error: 'the turn ended with an error',
    aborted: 'the turn was aborted',
    interrupted: 'the turn was interrupted',
    failed: 'the session failed',
  }[status]
  return message === null ? words : `${words}: ${message}`
}
