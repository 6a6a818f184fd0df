import { basename, resolve } from 'node:path'
import { UsageError } from '../../failures.ts'
import { readGivenFile } from '../../output/given-file.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly text: string
  readonly thread?: string
  readonly to?: string
  readonly file: readonly string[]
}

export const send: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .requiredOption('--text <text>', 'the message')
    .option(
      '--thread <id>',
      'the thread that it goes into, as svc channels threads lists it; of an agent, its own when neither is given',
    )
    .option('--to <conversation>', 'the conversation that it goes into, by its id at the platform')
    .option(
      '--file <path>',
      'a file that goes along, up to 20 MiB; may be given up to ten times',
      (path: string, others: readonly string[]) => [...others, path],
      [],
    )
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { text, thread, to, file } = flags
    if (text.trim() === '') throw new UsageError('--text must not be blank')
    // An agent answers in the thread that it works for.
    const isOwn = thread === undefined && to === undefined && Boolean(cli.io.env['SVC_SESSION_ID'])
    if (!isOwn && (thread === undefined) === (to === undefined))
      throw new UsageError('give just one of --thread and --to')
    const files = await Promise.all(file.map((path) => readSent(resolve(cli.io.cwd, path))))
    const { client, project_id } = await cli.project(flags.project)
    const message = await client.projects.channels.send(project_id, slug, {
      ...(thread !== undefined && { thread_id: thread }),
      ...(to !== undefined && { conversation: to }),
      text,
      ...(files.length > 0 && { files }),
    })
    if (flags.json) return cli.out.json(message)
    cli.out.line(`On its way  ${message.message_id}`)
    cli.out.note(`svc channels messages ${slug} says when it is sent.`)
  })
}

async function readSent(path: string) {
  const content = await readGivenFile(path, `--file ${path}`)
  return { name: basename(path), content: new Uint8Array(content) }
}
