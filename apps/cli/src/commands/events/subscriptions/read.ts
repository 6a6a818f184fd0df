import type { EventSubscription } from '@svc/sdk'
import { oneLine } from '../../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../../flags.ts'
import type { Configure } from '../../groups.ts'
import { placeFlags, type PlaceFlags, placeOf } from '../place.ts'

type Flags = JsonFlag & PlaceFlags

export const ls: Configure = (command, cli) => {
  jsonFlag(placeFlags(command)).action(async (flags: Flags) => {
    const { client, place } = await placeOf(cli, flags)
    const subscriptions = await client.events.subscriptions.list(place)
    if (flags.json) return cli.out.json({ subscriptions })
    if (subscriptions.length === 0)
      return cli.out.note('No subscriptions yet: svc events subscriptions add <url> --types cr.*')
    cli.out.table(
      [
        { header: 'SUBSCRIPTION' },
        { header: 'URL', flexible: true },
        { header: 'TYPES', flexible: true },
        { header: 'ORDER', optional: true },
        { header: 'STATUS' },
      ],
      subscriptions.map((one) => [
        one.subscription_id,
        oneLine(one.url),
        one.types.join(','),
        one.ordering,
        statusOf(one),
      ]),
    )
  })
}

export const show: Configure = (command, cli) => {
  command.argument('<subscription>')
  jsonFlag(placeFlags(command)).action(async (id: string, flags: Flags) => {
    const { client, place } = await placeOf(cli, flags)
    const one = await client.events.subscriptions.get(place, id)
    if (flags.json) return cli.out.json(one)
    const facts: readonly (readonly [string, string])[] = [
      ['URL', one.url],
      ['Name', one.name ?? ''],
      ['Types', one.types.join(', ')],
      ['Order', one.ordering],
      ['Headers', one.header_names.join(', ')],
      ['Status', statusOf(one)],
      ['Project', one.project_id ?? 'all of the account'],
      ['Created', one.created_at],
    ]
    for (const [label, value] of facts) if (value !== '') cli.out.line(oneLine(`${label.padEnd(9)}${value}`))
    if (one.status === 'disabled')
      cli.out.note(`When its receiver works: svc events subscriptions set ${id} --enable`)
  })
}

const statusOf = ({ status, disabled_reason }: EventSubscription): string =>
  disabled_reason === null ? status : `${status} (${disabled_reason.replaceAll('_', ' ')})`
