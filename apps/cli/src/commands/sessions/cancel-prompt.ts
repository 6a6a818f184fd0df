import type { Client } from '@svc/sdk'
import { isUuid } from '../../config/project.ts'
import { OperationError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

export const cancelPrompt: Configure = (command, cli) => {
  command.argument('<id>', 'the session, or the start of its id')
  command.argument('<prompt_id>', 'as `svc sessions prompts` shows it, or its start')
  projectFlag(jsonFlag(command)).action(
    async (given: string, prompt: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const session_id = await findSessionId(client, project_id, given)
      const prompt_id = await findPromptId(client, { project_id, session_id }, prompt)
      const cancelled = await client.projects.sessions.prompts.cancel(project_id, session_id, prompt_id)
      if (flags.json) return cli.out.json(cancelled)
      cli.out.line(`Withdrew ${cancelled.prompt_id}`)
    },
  )
}

async function findPromptId(
  client: Client,
  { project_id, session_id }: { readonly project_id: string; readonly session_id: string },
  given: string,
): Promise<string> {
  const start = given.toLowerCase()
  if (isUuid(start)) return start
  const next = `\`svc sessions prompts ${session_id}\` shows them`
  const found: string[] = []
  for await (const { prompt_id } of client.projects.sessions.prompts.list(project_id, session_id, {
    limit: 200,
  })) {
    if (prompt_id.startsWith(start)) found.push(prompt_id)
  }
  const [only, ...more] = found
  if (only === undefined) throw new OperationError(`no prompt of this session starts with ${given}`, next)
  if (more.length > 0) throw new OperationError(`${found.length} prompts start with ${given}`, next)
  return only
}
