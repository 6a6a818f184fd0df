import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { assertSecretName } from './assignments.ts'
import { of, type PersonalFlag, personalFlag } from './personal.ts'
import { noteDelivery } from './note-delivery.ts'

type Flags = ProjectFlag & PersonalFlag

export const unset: Configure = (command, cli) => {
  personalFlag(projectFlag(command.argument('<NAME...>'))).action(async (names: string[], flags: Flags) => {
    names.forEach(assertSecretName)
    const { client, project_id } = await cli.project(flags.project)
    for (const name of names) {
      await of(client, flags).delete(project_id, name)
      cli.out.line(`Unset ${name}`)
    }
    noteDelivery(cli)
  })
}
