import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const ls: Configure = (command, cli) => {
  jsonFlag(command).action(async (flags: JsonFlag) => {
    const { client } = await cli.connect()
    const projects = await client.projects.list()
    if (flags.json) return cli.out.json(projects)
    if (projects.length === 0) return cli.out.note('No projects yet: svc init, then svc ship')
    const linked = (await cli.link())?.project_id
    cli.out.table(
      [
        { header: '' },
        { header: 'SLUG', flexible: true },
        { header: 'NAME', flexible: true },
        { header: 'ROLE', optional: true },
        { header: 'UPDATED', optional: true },
        { header: 'ID' },
      ],
      projects.map((project) => [
        project.project_id === linked ? '*' : '',
        project.slug,
        oneLine(project.name),
        project.project_role,
        ago(project.updated_at, Date.now()),
        project.project_id,
      ]),
    )
  })
}
