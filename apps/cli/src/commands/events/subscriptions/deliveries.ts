import type { EventDeliveryWithTries, ListEventDeliveriesQuery } from '@svc/sdk'
import type { Cli } from '../../../cli.ts'
import { ago } from '../../../output/ago.ts'
import { oneLine } from '../../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive } from '../../flags.ts'
import type { Configure } from '../../groups.ts'
import { placeFlags, type PlaceFlags, placeOf } from '../place.ts'

interface Flags extends JsonFlag, PlaceFlags {
  readonly state?: NonNullable<ListEventDeliveriesQuery>['state']
  readonly event?: string
  readonly limit: number
}

export const deliveries: Configure = (command, cli) => {
  command
    .argument('<subscription>')
    .argument('[delivery]', 'one of them, with its tries')
    .option('--state <state>', 'only in this state, such as failed')
    .option('--event <id>', 'only of this event')
    .option('--limit <count>', 'how many', positive, 50)
  jsonFlag(placeFlags(command)).action(async (id: string, delivery: string | undefined, flags: Flags) => {
    const { client, place } = await placeOf(cli, flags)
    if (delivery !== undefined) {
      const one = await client.events.subscriptions.delivery(place, id, delivery)
      return flags.json ? cli.out.json(one) : showTries(cli, one)
    }
    const page = await client.events.subscriptions.deliveries(place, id, {
      limit: flags.limit,
      state: flags.state,
      event_id: flags.event,
    })
    if (flags.json) return cli.out.json(page)
    if (page.deliveries.length === 0) return cli.out.note('Nothing was sent to it.')
    cli.out.table(
      [
        { header: 'DELIVERY' },
        { header: 'EVENT', optional: true },
        { header: 'TYPE' },
        { header: 'STATE' },
        { header: 'TRIES' },
        { header: 'LAST', flexible: true },
        { header: 'CREATED' },
      ],
      page.deliveries.map((one) => [
        one.delivery_id,
        one.event_id,
        one.replay === 0 ? one.type : `${one.type} (replay ${one.replay})`,
        one.state,
        String(one.attempts),
        oneLine([one.last_status, one.last_error].filter((said) => said !== null).join(' ')),
        ago(one.created_at, Date.now()),
      ]),
    )
  })
}

function showTries(cli: Cli, { type, event_id, state, next_at, tries }: EventDeliveryWithTries): void {
  cli.out.line(oneLine(`${event_id} ${type}: ${state}${next_at === null ? '' : `, again at ${next_at}`}`))
  for (const { number, at, status, duration_ms, error, answer } of tries) {
    cli.out.line(
      oneLine(
        `${number}  ${at}  ${status ?? error ?? ''}  ${duration_ms} ms  ${(answer ?? '').slice(0, 200)}`,
      ),
    )
  }
}
