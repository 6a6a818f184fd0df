import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printedProposal } from './proposed.ts'

export const enable: Configure = switchTo(true)
export const disable: Configure = switchTo(false)

function switchTo(enabled: boolean): Configure {
  return (command, cli) => {
    projectFlag(jsonFlag(command.argument('<slug>'))).action(
      async (slug: string, flags: JsonFlag & ProjectFlag) => {
        const { client, project_id } = await cli.project(flags.project)
        const trigger = await client.projects.triggers.update(project_id, slug, { enabled })
        if (flags.json) return cli.out.json(trigger)
        if (printedProposal(cli, trigger)) return
        cli.out.line(`${enabled ? 'Enabled' : 'Disabled'} ${trigger.slug}`)
      },
    )
  }
}
