import { hostname } from 'node:os'
import { duration, inSeconds } from '../duration.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printMinted, printTokens } from '../print-tokens.ts'

interface NewFlags extends JsonFlag, ProjectFlag {
  readonly expires?: number
}

export const gateway: Configure = (group, cli) => {
  const keys = group.command('keys').description('keys for the model gateway of a project')

  const create = keys.command('new').description('mint a key')
  projectFlag(jsonFlag(create))
    .argument('[name]', 'what you know it by; else cli-<this machine>-<today>')
    .option('--expires <duration>', 'such as 12h or 90d; else it does not expire', duration)
    .action(async (given: string | undefined, { expires, project, json }: NewFlags) => {
      const { client, project_id } = await cli.project(project)
      const name = given ?? defaultName(hostname(), new Date(Date.now()))
      const expires_at = expires === undefined ? {} : { expires_at: inSeconds(expires, Date.now()) }
      const minted = await client.projects.gatewayKeys.create(project_id, { name, ...expires_at })
      return json ? cli.out.json(minted) : printMinted(cli, minted)
    })

  projectFlag(jsonFlag(keys.command('ls').description('list keys; their secrets are not kept'))).action(
    async ({ project, json }: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(project)
      const list = await client.projects.gatewayKeys.list(project_id)
      return json ? cli.out.json(list) : printTokens(cli, list)
    },
  )

  projectFlag(keys.command('revoke').alias('rm').description('end keys at once'))
    .argument('<token-id...>')
    .action(async (ids: string[], { project }: ProjectFlag) => {
      const { client, project_id } = await cli.project(project)
      for (const id of ids) {
        await client.projects.gatewayKeys.revoke(project_id, id)
        cli.out.line(`Revoked ${id}`)
      }
    })
}

function defaultName(machine: string, today: Date): string {
  return `cli-${machine.slice(0, 64)}-${today.toISOString().slice(0, 10)}`
}
