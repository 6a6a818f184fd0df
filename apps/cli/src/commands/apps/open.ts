import { OperationError } from '../../failures.ts'
import { mayOpenBrowser, openBrowser } from '../../output/open-browser.ts'
import { crId } from '../cr/cr-argument.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface Flags extends JsonFlag, ProjectFlag {
  readonly cr?: string
  readonly print?: true
}

export const open: Configure = (command, cli) => {
  projectFlag(jsonFlag(command.argument('<app>')))
    .option('--cr <number>', 'its preview for this change request')
    .option('--print', 'print the link, which opens once within two minutes, and open nothing')
    .action(async (name: string, flags: Flags) => {
      const { client, project_id } = await cli.project(flags.project)
      const { apps } = client.projects
      const url =
        flags.cr === undefined
          ? (await apps.get(project_id, name)).url
          : ((await apps.ofChangeRequest(project_id, crId(flags.cr))).apps.find((one) => one.name === name)
              ?.preview?.url ?? null)
      if (url === null)
        throw new OperationError(
          flags.cr === undefined
            ? `${name} has no address`
            : `${name} has no preview for this change request`,
          flags.cr === undefined
            ? 'ask the operator for SVC_APPS_URL'
            : `make one: svc apps release ${name} --cr ${flags.cr}`,
        )
      const entry = await apps.enter({ host: new URL(url).host })
      if (flags.json) return cli.out.json(entry)
      if (!flags.print && mayOpenBrowser(cli.io) && (await openBrowser(entry.url, cli.io.env)))
        return cli.out.note(`Opened ${url}`)
      cli.out.line(entry.url)
    })
}
