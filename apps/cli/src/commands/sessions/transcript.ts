import type { Transcript } from '@svc/sdk'
import type { Output } from '../../output/output.ts'
import { oneLine, plain } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const transcript: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<id>', 'the id, or its start'))).action(
    async (given: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const answer = await client.projects.sessions.transcript(project_id, session_id)
      if (flags.json) return cli.out.json(answer)
      if (answer.messages.length === 0)
        return cli.out.note(`Nothing was said yet: svc sessions chat ${session_id.slice(0, 8)}`)
      for (const message of answer.messages) show(cli.out, message)
    },
  )
}

/** Words of a person are quoted; the tools of the agent stand before the words that came of them. */
function show({ line, colors }: Output, { role, text, tools, error }: Transcript['messages'][number]): void {
  const words = plain(text).trim()
  if (role === 'user') return words.split('\n').forEach((one) => line(`> ${one}`.trimEnd()))
  for (const { tool, title, status } of tools) {
    const said = [tool, title ?? ''].map(oneLine).filter((word) => word !== '')
    line(colors.dim(`* ${said.join(': ')}${status === 'error' ? ' (failed)' : ''}`))
  }
  if (words !== '') line(words)
  if (error !== null) line(`error: ${oneLine(error)}`)
}
