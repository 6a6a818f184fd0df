import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly connector?: string
}

export const tools: Configure = (command, cli) => {
  command
    .argument('[query...]', 'words to search for')
    .option('--connector <slug>', 'only those of one connector')
  projectFlag(jsonFlag(command)).action(async (words: readonly string[], flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const found = await client.projects.connectorCalls.search(project_id, {
      ...(words.length > 0 && { query: words.join(' ') }),
      ...(flags.connector !== undefined && { connector: flags.connector }),
    })
    if (flags.json) return cli.out.json(found)
    if (found.tools.length === 0) cli.out.note('No such actions.')
    else
      cli.out.table(
        [
          { header: 'ACTION', flexible: true },
          { header: 'RISK' },
          { header: 'ASKS' },
          { header: 'WHAT', flexible: true },
        ],
        found.tools.map((one) => [
          oneLine(`${one.connector}.${one.action}`),
          one.risk,
          one.needs_approval ? 'a person' : '',
          oneLine(one.title ?? one.description),
        ]),
      )
    for (const { slug, connected, status } of found.connectors)
      if (status === 'syncing')
        cli.out.note(`The actions of ${slug} are being read for the first time: search again in a minute`)
      else if (!connected) cli.out.note(`${slug} is not connected: svc connectors connect ${slug}`)
  })
}
