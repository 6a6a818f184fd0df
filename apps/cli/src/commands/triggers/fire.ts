import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printFired } from './print-fired.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly text?: string
}

export const fire: Configure = (command, cli) => {
  command.argument('<slug>').option('--text <text>', '{{ message.text }} in the prompt')
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    const input = flags.text === undefined ? {} : { text: flags.text }
    const answer = await client.projects.triggers.fire(project_id, slug, input)
    if (flags.json) return cli.out.json(answer)
    printFired(cli.out, slug, answer)
  })
}
