import type { PendingAsk } from '@svc/sdk'
import { type AgentRequest, readRequest } from '../../chat/agent-request.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const asks: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const pending = await client.projects.sessions.asks.list(project_id, session_id)
      if (flags.json) return cli.out.json(pending)
      const requests = pending.flatMap((ask) => requestOf(ask) ?? [])
      if (requests.length === 0) return cli.out.note('The agent waits for nothing.')
      cli.out.table(
        [{ header: 'ID' }, { header: 'KIND' }, { header: 'ASKS', flexible: true }],
        requests.map((request) => [oneLine(request.id), request.kind, words(request)]),
      )
      cli.out.note(`Answer with: svc sessions answer ${session_id.slice(0, 8)} <id> <answer...>`)
    },
  )
}

export function requestOf(ask: PendingAsk): AgentRequest | null {
  return readRequest({ ...ask, type: ask.kind })
}

function words(request: AgentRequest): string {
  if (request.kind === 'permission') return [request.permission, ...request.patterns].join(' ')
  return oneLine(
    request.questions
      .map(({ text, options }) => (options.length === 0 ? text : `${text} [${options.join(' | ')}]`))
      .join('; '),
  )
}
