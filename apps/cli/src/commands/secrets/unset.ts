import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { assertSecretName } from './assignments.ts'

export const unset: Configure = (command, cli) => {
  projectFlag(command.argument('<NAME...>')).action(async (names: string[], flags: ProjectFlag) => {
    names.forEach(assertSecretName)
    const { client, project_id } = await cli.project(flags.project)
    for (const name of names) {
      await client.projects.secrets.delete(project_id, name)
      cli.out.line(`Unset ${name}`)
    }
  })
}
