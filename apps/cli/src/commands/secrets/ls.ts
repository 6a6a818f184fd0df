import { ago } from '../../output/ago.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { type PersonalFlag, personalFlag } from './personal.ts'

type Flags = JsonFlag & ProjectFlag & PersonalFlag

export const ls: Configure = (command, cli) => {
  personalFlag(projectFlag(jsonFlag(command))).action(async (flags: Flags) => {
    const { client, project_id } = await cli.project(flags.project)
    if (flags.personal) {
      const { items } = await client.projects.secrets.personal.list(project_id)
      if (flags.json) return cli.out.json({ items })
      if (items.length === 0) return cli.out.note('You have no secrets of your own here.')
      return cli.out.table(
        [{ header: 'NAME', flexible: true }, { header: 'STATE' }],
        items.map(({ name, updated_at }) => [name, `set ${ago(updated_at, Date.now())}`]),
      )
    }
    const list = await client.projects.secrets.list(project_id)
    if (flags.json) return cli.out.json(list)
    const declared = (name: string) =>
      list.required.includes(name) ? 'required' : list.optional.includes(name) ? 'optional' : ''
    const rows = [
      ...list.items.map((secret) => [
        secret.name,
        declared(secret.name),
        `set ${ago(secret.updated_at, Date.now())}`,
      ]),
      ...list.missing.map((name) => [name, 'required', 'MISSING']),
    ]
    if (rows.length === 0) return cli.out.note('No secrets yet: svc secrets set NAME=VALUE')
    cli.out.table([{ header: 'NAME', flexible: true }, { header: 'MANIFEST' }, { header: 'STATE' }], rows)
    if (list.missing.length > 0)
      cli.out.note(`Missing: svc secrets set ${list.missing.map((name) => `${name}=-`).join(' ')}`)
  })
}
