import { duration, inSeconds } from '../duration.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printMinted, printTokens } from '../print-tokens.ts'

interface NewFlags extends JsonFlag {
  readonly expires?: number
  readonly project?: string
}

interface KindFlags extends JsonFlag {
  readonly project?: string
}

const projectOnly = 'of one project instead of yours'

export const tokens: Configure = (group, cli) => {
  const create = group.command('new').description('mint a token of yours, or one that reaches one project')
  jsonFlag(create)
    .argument('<name>')
    .option('--expires <duration>', 'such as 12h or 90d; else it does not expire', duration)
    .option('--project <id-or-slug>', projectOnly)
    .action(async (name: string, { expires, project, json }: NewFlags) => {
      const input = { name, ...(expires === undefined ? {} : { expires_at: inSeconds(expires, Date.now()) }) }
      const minted =
        project === undefined
          ? await (await cli.connect()).client.tokens.create(input)
          : await cli
              .project(project)
              .then(({ client, project_id }) => client.projects.tokens.create(project_id, input))
      return json ? cli.out.json(minted) : printMinted(cli, minted)
    })

  jsonFlag(group.command('ls').description('list tokens; their secrets are not kept'))
    .option('--project <id-or-slug>', projectOnly)
    .action(async ({ project, json }: KindFlags) => {
      const list =
        project === undefined
          ? await (await cli.connect()).client.tokens.list()
          : await cli
              .project(project)
              .then(({ client, project_id }) => client.projects.tokens.list(project_id))
      return json ? cli.out.json(list) : printTokens(cli, list)
    })

  group
    .command('revoke')
    .alias('rm')
    .description('end tokens at once')
    .argument('<token-id...>')
    .option('--project <id-or-slug>', projectOnly)
    .action(async (ids: string[], { project }: KindFlags) => {
      if (project === undefined) {
        const { client } = await cli.connect()
        for (const id of ids) await client.tokens.revoke(id).then(() => cli.out.line(`Revoked ${id}`))
        return
      }
      const { client, project_id } = await cli.project(project)
      for (const id of ids)
        await client.projects.tokens.revoke(project_id, id).then(() => cli.out.line(`Revoked ${id}`))
    })
}
