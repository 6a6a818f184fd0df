import { counted } from '@svc/facts'
import { OperationError } from '../../failures.ts'
import { type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const disconnect: Configure = (command, cli) => {
  command.argument('<slug>').argument('[connection_id]', 'which one, where there are several')
  projectFlag(command).action(async (slug: string, given: string | undefined, flags: ProjectFlag) => {
    const { client, project_id } = await cli.project(flags.project)
    const { connections } = client.projects.connectors
    const connection_id = given ?? (await onlyOne(connections.list(project_id, slug), slug))
    await connections.delete(project_id, slug, connection_id)
    cli.out.line(`Disconnected ${slug}  ${connection_id}`)
  })
}

async function onlyOne(
  listed: Promise<readonly { readonly connection_id: string }[]>,
  slug: string,
): Promise<string> {
  const list = await listed
  const [first] = list
  if (first !== undefined && list.length === 1) return first.connection_id
  throw first === undefined
    ? new OperationError(`${slug} has no connection`, `svc connectors connect ${slug} makes one`)
    : new OperationError(
        `${slug} has ${counted(list.length, 'connection')}`,
        `name one: \`svc connectors connections ${slug}\` lists them`,
      )
}
