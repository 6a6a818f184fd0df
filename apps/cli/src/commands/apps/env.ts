import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const env: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<app>'))).action(
    async (name: string, flags: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(flags.project)
      const answer = await client.projects.apps.env(project_id, name)
      if (flags.json) return cli.out.json(answer)
      if (answer.env.length === 0) return cli.out.note(`${name} has no variables.`)
      cli.out.table(
        [{ header: 'NAME', flexible: true }, { header: 'FROM' }, { header: 'SECRET', optional: true }],
        answer.env.map(({ name, source, secret, configured }) => [
          name,
          source,
          secret === undefined ? '' : configured ? secret : `${secret}, missing: svc secrets set ${secret}`,
        ]),
      )
    },
  )
}
