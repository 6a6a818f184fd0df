import { hostname } from 'node:os'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { duration, inSeconds } from '../duration.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import { printMinted } from '../print-tokens.ts'
import { type LimitFlags, limitFlags, limitsOf } from './limits.ts'
import { printKeys } from './print-keys.ts'

interface NewFlags extends JsonFlag, ProjectFlag, LimitFlags {
  readonly expires?: number
}

interface RotateFlags extends JsonFlag, ProjectFlag {
  readonly grace?: number
}

interface LimitCommandFlags extends JsonFlag, ProjectFlag, LimitFlags {
  readonly name?: string
}

export function keyCommands(group: Command, cli: Cli): void {
  const keys = group.command('keys').description('keys for the model gateway of a project')

  limitFlags(projectFlag(jsonFlag(keys.command('new').description('mint a key'))))
    .argument('[name]', 'what you know it by; else cli-<this machine>-<today>')
    .option('--expires <duration>', 'such as 12h or 90d; else it does not expire', duration)
    .action(async (given: string | undefined, { expires, project, json, ...flags }: NewFlags) => {
      const { client, project_id } = await cli.project(project)
      const name = given ?? defaultName(hostname(), new Date(Date.now()))
      const expires_at = expires === undefined ? {} : { expires_at: inSeconds(expires, Date.now()) }
      const minted = await client.projects.gatewayKeys.create(project_id, {
        name,
        ...expires_at,
        ...limitsOf(flags),
      })
      return json ? cli.out.json(minted) : printMinted(cli, minted)
    })

  projectFlag(jsonFlag(keys.command('ls').description('list keys; their secrets are not kept'))).action(
    async ({ project, json }: JsonFlag & ProjectFlag) => {
      const { client, project_id } = await cli.project(project)
      const list = await client.projects.gatewayKeys.list(project_id)
      return json ? cli.out.json(list) : printKeys(cli, list)
    },
  )

  const limit = keys.command('limit').description('change the limits of a key, or its name')
  limitFlags(projectFlag(jsonFlag(limit)))
    .argument('<token-id>')
    .option('--name <name>', 'what you know it by from now on')
    .action(async (id: string, { project, json, name, ...flags }: LimitCommandFlags) => {
      const { client, project_id } = await cli.project(project)
      const change = { ...(name === undefined ? {} : { name }), ...limitsOf(flags) }
      const key = await client.projects.gatewayKeys.update(project_id, id, change)
      return json ? cli.out.json(key) : printKeys(cli, [key])
    })

  const rotate = keys.command('rotate').description('mint another key in the place of one')
  projectFlag(jsonFlag(rotate))
    .argument('<token-id>')
    .option(
      '--grace <duration>',
      'the old key is of use for so long, such as 1h; else it ends at once',
      duration,
    )
    .action(async (id: string, { project, json, grace }: RotateFlags) => {
      const { client, project_id } = await cli.project(project)
      const asked = grace === undefined ? {} : { grace_seconds: grace }
      const minted = await client.projects.gatewayKeys.rotate(project_id, id, asked)
      return json ? cli.out.json(minted) : printMinted(cli, minted)
    })

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
