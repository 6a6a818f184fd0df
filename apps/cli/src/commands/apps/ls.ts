import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { shortSha, stateText } from './print-release.ts'

export const ls: Configure = (command, cli) => {
  projectFlag(jsonFlag(command)).action(async (flags: JsonFlag & ProjectFlag) => {
    const { client, project_id } = await cli.project(flags.project)
    const list = await client.projects.apps.list(project_id)
    if (flags.json) return cli.out.json(list)
    if (list.apps.length === 0) cli.out.note('No apps yet: declare one below apps in svc.yaml, and merge it.')
    else
      cli.out.table(
        [
          { header: 'APP', flexible: true },
          { header: 'STATE' },
          { header: 'SHOWS' },
          { header: 'ACCESS', optional: true },
          { header: 'ADDRESS', flexible: true },
        ],
        list.apps.map((app) => [
          app.name,
          stateText(app),
          app.current_release === null
            ? ''
            : `${app.current_release.number} of ${shortSha(app.current_release.commit_sha)}`,
          app.access_mode,
          app.url ?? 'none: ask the operator for SVC_APPS_URL',
        ]),
      )
    for (const { path, message } of list.errors) cli.out.note(`svc.yaml: ${oneLine(`${path}: ${message}`)}`)
  })
}
