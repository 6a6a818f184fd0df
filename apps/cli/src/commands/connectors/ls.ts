import type { Connector } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const ls: Configure = (command, cli) => {
  projectFlag(jsonFlag(command)).action(async (flags: JsonFlag & ProjectFlag) => {
    const { client, project_id } = await cli.project(flags.project)
    const list = await client.projects.connectors.list(project_id)
    if (flags.json) return cli.out.json(list)
    if (list.connectors.length === 0) return cli.out.note('No connectors yet: declare them in svc.yaml.')
    cli.out.table(
      [
        { header: 'SLUG', flexible: true },
        { header: 'PROVIDER' },
        { header: 'STATUS' },
        { header: 'CONNECTION', flexible: true },
        { header: 'ACTIONS' },
      ],
      list.connectors.map((one) => [
        one.slug,
        one.provider,
        one.status.replace('_', ' '),
        connectionOf(one),
        String(one.actions),
      ]),
    )
    for (const { slug, error } of list.errors) cli.out.note(`${slug}: ${oneLine(error)}`)
  })
}

/** The connection that a call would use, in a few words. */
export function connectionOf({ connection, auth_type, provider, status }: Connector): string {
  if (connection !== null) return `${oneLine(connection.label)} (${connection.scope})`
  const isOpen = auth_type === null || auth_type === 'none'
  return isOpen && provider !== 'computer' && status !== 'needs_connection' ? 'none needed' : 'none'
}
