import { createAdminClient } from '@svc/sdk/admin'
import { resolveProject } from '../../config/project.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { clientFindings } from './client-checks.ts'
import { platformFindings } from './platform-checks.ts'
import { showFindings } from './show-findings.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly repair?: true
}

/** Looks at this machine and, for a platform admin, has the platform compare its rows with what is there. */
export const doctor: Configure = (command, cli) => {
  jsonFlag(command)
    .option('--project <id-or-slug>', 'only this project')
    .option('--repair', 'put right what can safely be')
    .action(async ({ project, repair, json }: Flags) => {
      const as_json = json === true
      const own = await clientFindings(cli)
      if (own.some(({ severity }) => severity === 'error')) return showFindings(cli, own, as_json)
      const { client, options, target } = await cli.connect()
      const flags = { flag: project, env: cli.io.env, link: null, target, client }
      const project_id = project === undefined ? undefined : await resolveProject(flags)
      const wanted = { repair: repair === true, ...(project_id !== undefined && { project_id }) }
      const run = await platformFindings(createAdminClient(options), wanted)
      if (run === null)
        cli.out.note('The checks of the platform are for platform admins; this machine was looked at.')
      showFindings(cli, [...own, ...(run?.findings ?? [])], as_json)
    })
}
