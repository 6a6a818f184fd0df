import type { InboxPrompt } from '@svc/sdk'
import { Option } from 'commander'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { findSessionId } from './find-session.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly state?: InboxPrompt['state']
}

const states: readonly InboxPrompt['state'][] = [
  'pending',
  'delivered',
  'running',
  'done',
  'failed',
  'cancelled',
]

export const prompts: Configure = (command, cli) => {
  command.argument('<id>', 'the id, or its start')
  command.addOption(new Option('--state <state>', 'only those of this state').choices(states))
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const session_id = await findSessionId(client, project_id, given)
    const query = { limit: 200, ...(flags.state === undefined ? {} : { state: flags.state }) }
    const found: InboxPrompt[] = []
    for await (const prompt of client.projects.sessions.prompts.list(project_id, session_id, query))
      found.push(prompt)
    if (flags.json) return cli.out.json(found)
    if (found.length === 0) return cli.out.note('No such prompts.')
    cli.out.table(
      [{ header: 'ID' }, { header: 'STATE' }, { header: 'CREATED' }, { header: 'TEXT', flexible: true }],
      found.map(({ prompt_id, state, created_at, text, error }) => [
        cli.out.is_terminal ? prompt_id.slice(0, 8) : prompt_id,
        state,
        ago(created_at, Date.now()),
        oneLine(error === null ? text : `${text} (${error})`),
      ]),
    )
  })
}
