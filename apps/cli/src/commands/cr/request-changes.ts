import { text } from 'node:stream/consumers'
import { Option } from 'commander'
import { UsageError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { crArgument, crId } from './cr-argument.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly feedback?: string
  readonly text?: string
}

export const requestChanges: Configure = (command, cli) => {
  const words = 'what is to be changed; - reads it from stdin (also --text)'
  crArgument(command)
    .addOption(new Option('--feedback <text>', words).conflicts('text'))
    .addOption(new Option('--text <text>').hideHelp())
  projectFlag(jsonFlag(command)).action(async (given: string, flags: Flags) => {
    const cr_id = crId(given)
    const said = flags.feedback ?? flags.text
    const feedback = said === '-' ? await text(cli.io.stdin) : (said ?? '')
    if (feedback.trim() === '')
      throw new UsageError('say what is to be changed', `svc cr request-changes ${given} --feedback <text>`)
    const { client, project_id } = await cli.project(flags.project)
    const answer = await client.projects.changeRequests.requestChanges(project_id, cr_id, { feedback })
    if (flags.json) return cli.out.json(answer)
    const { change_request: cr, delivering } = answer
    cli.out.line(`Requested changes on #${cr.number}  ${oneLine(cr.title)}`)
    cli.out.note(
      delivering
        ? 'Its session has been sent the feedback.'
        : 'No session could be sent the feedback: it is kept with the change request.',
    )
  })
}
