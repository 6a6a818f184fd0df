import { UsageError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly text: string
  readonly thread?: string
  readonly to?: string
}

export const send: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .requiredOption('--text <text>', 'the message')
    .option('--thread <id>', 'the thread that it goes into, as svc channels threads lists it')
    .option('--to <conversation>', 'the conversation that it goes into, by its id at the platform')
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { text, thread, to } = flags
    if (text.trim() === '') throw new UsageError('--text must not be blank')
    if ((thread === undefined) === (to === undefined))
      throw new UsageError('give just one of --thread and --to')
    const { client, project_id } = await cli.project(flags.project)
    const message = await client.projects.channels.send(project_id, slug, {
      ...(thread !== undefined && { thread_id: thread }),
      ...(to !== undefined && { conversation: to }),
      text,
    })
    if (flags.json) return cli.out.json(message)
    cli.out.line(`On its way  ${message.message_id}`)
    cli.out.note(`svc channels messages ${slug} says when it is sent.`)
  })
}
