import { answerTo } from '../../chat/answer-to.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { requestOf } from './asks.ts'
import { findSessionId } from './find-session.ts'

interface Flags extends ProjectFlag {
  readonly reject?: true
  readonly message?: string
}

export const answer: Configure = (command, cli) => {
  command
    .argument('<id>', 'the session, or the start of its id')
    .argument('<request_id>', 'as `svc sessions asks` shows it')
    .argument('[answer...]', 'of a permission: once, always or reject; of a question: one for each question')
    .option('--reject', 'refuse it')
    .option('--message <text>', 'with a rejected permission: the reason that the agent is given')
  projectFlag(command).action(
    async (given: string, request_id: string, answers: readonly string[], flags: Flags) => {
      if (flags.reject && answers.length > 0)
        throw new UsageError('an answer and --reject exclude each other', 'give one of them')
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const pending = await client.projects.sessions.asks.list(project_id, session_id)
      const ask = pending.find((one) => one.request_id === request_id)
      const request = ask && requestOf(ask)
      if (!request)
        throw new OperationError(
          `the agent does not wait for ${oneLine(request_id)}`,
          `\`svc sessions asks ${session_id}\` shows what it waits for`,
        )
      const body = answerTo(request, { answers, ...flags })
      await client.projects.sessions.asks.answer(project_id, session_id, request_id, body)
      cli.out.line(`Answered ${oneLine(request_id)}`)
    },
  )
}
