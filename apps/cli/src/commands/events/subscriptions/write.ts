import { InvalidArgumentError } from 'commander'
import { UsageError } from '../../../failures.ts'
import { type JsonFlag, jsonFlag } from '../../flags.ts'
import type { Configure } from '../../groups.ts'
import { placeFlags, type PlaceFlags, placeOf } from '../place.ts'
import { typesFlag } from '../tail.ts'
import { type FieldFlags, fieldsOf, header } from './add.ts'

type Flags = JsonFlag & PlaceFlags

interface SetFlags extends FieldFlags {
  readonly url?: string
  readonly enable?: true
  readonly disable?: true
}

export const set: Configure = (command, cli) => {
  command.argument('<subscription>')
  typesFlag(jsonFlag(placeFlags(command)))
    .option('--url <url>', 'another address')
    .option('--name <text>', 'for people')
    .option('--strict', 'one at a time, in order')
    .option('--no-strict', 'up to eight at once')
    .option('--header <name: value>', 'headers of your own, which replace those before', header, {})
    .option('--enable', 'send again, and count failures anew')
    .option('--disable', 'send nothing more, and cancel what waits')
    .action(async (id: string, flags: SetFlags) => {
      if (flags.enable && flags.disable)
        throw new UsageError('--enable and --disable exclude each other; give one of them')
      const status = flags.enable ? 'enabled' : flags.disable ? 'disabled' : undefined
      const { client, place } = await placeOf(cli, flags)
      const changed = await client.events.subscriptions.update(place, id, {
        ...fieldsOf(flags),
        ...(flags.url !== undefined && { url: flags.url }),
        ...(flags.types && { types: [...flags.types] }),
        ...(status && { status }),
      })
      if (flags.json) return cli.out.json(changed)
      cli.out.note(`Subscription ${id} is ${changed.status}.`)
    })
}

export const rm: Configure = (command, cli) => {
  command.argument('<subscription>')
  placeFlags(command).action(async (id: string, flags: PlaceFlags) => {
    const { client, place } = await placeOf(cli, flags)
    await client.events.subscriptions.delete(place, id)
    cli.out.note(`Removed subscription ${id}. Nothing more is sent to it; events stay.`)
  })
}

export const rotate: Configure = (command, cli) => {
  command
    .argument('<subscription>')
    .option('--overlap <seconds>', 'how long both sign; a day by default', seconds)
  jsonFlag(placeFlags(command)).action(async (id: string, flags: Flags & { readonly overlap?: number }) => {
    const { client, place } = await placeOf(cli, flags)
    const input = flags.overlap === undefined ? {} : { overlap_seconds: flags.overlap }
    const made = await client.events.subscriptions.rotateSecret(place, id, input)
    if (flags.json) return cli.out.json(made)
    cli.out.line(made.secret)
    cli.out.note(`The secret before it signs as well until ${made.previous_expires_at}.`)
  })
}

export const ping: Configure = (command, cli) => {
  command.argument('<subscription>')
  jsonFlag(placeFlags(command)).action(async (id: string, flags: Flags) => {
    const { client, place } = await placeOf(cli, flags)
    const sent = await client.events.subscriptions.ping(place, id)
    if (flags.json) return cli.out.json(sent)
    cli.out.note(
      `${sent.event_id} is on its way: svc events subscriptions deliveries ${id} --event ${sent.event_id}`,
    )
  })
}

interface ReplayFlags extends Flags {
  readonly event?: string
  readonly delivery?: string
  readonly since?: string
  readonly until?: string
}

export const replay: Configure = (command, cli) => {
  command
    .argument('<subscription>')
    .option('--event <id>', 'this event')
    .option('--delivery <id>', 'the event of this delivery')
    .option('--since <time>', 'those from this moment on, as 2026-01-31T09:00:00Z', moment)
    .option('--until <time>', 'those before this one; now by default', moment)
  jsonFlag(placeFlags(command)).action(async (id: string, flags: ReplayFlags) => {
    const { event, delivery, since, until } = flags
    if ([event, delivery, since].filter((one) => one !== undefined).length !== 1)
      throw new UsageError('give just one of --event, --delivery and --since')
    const { client, place } = await placeOf(cli, flags)
    const sent = await client.events.subscriptions.replay(place, id, {
      ...(event !== undefined && { event_id: event }),
      ...(delivery !== undefined && { delivery_id: delivery }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    })
    if (flags.json) return cli.out.json(sent)
    cli.out.note(`${sent.deliveries} on the way.`)
  })
}

function seconds(text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new InvalidArgumentError('give seconds, 604800 at the most.')
  return Number(text)
}

function moment(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('give a time such as 2026-01-31T09:00:00Z.')
  return at.toISOString()
}
