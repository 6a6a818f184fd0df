import type { CreateEventSubscriptionInput } from '@svc/sdk'
import { InvalidArgumentError } from 'commander'
import { type JsonFlag, jsonFlag } from '../../flags.ts'
import type { Configure } from '../../groups.ts'
import { placeFlags, type PlaceFlags, placeOf } from '../place.ts'
import { typesFlag } from '../tail.ts'

export interface FieldFlags extends JsonFlag, PlaceFlags {
  readonly types?: readonly string[]
  readonly name?: string
  readonly strict?: boolean
  readonly header?: Readonly<Record<string, string>>
}

export const add: Configure = (command, cli) => {
  command.argument('<url>', 'https, at a public address or one that the operator allows')
  typesFlag(jsonFlag(placeFlags(command)))
    .option('--name <text>', 'for people')
    .option('--strict', 'one at a time, in order; one that fails holds the rest')
    .option('--header <name: value>', 'a header of your own; more than once for more', header, {})
    .action(async (url: string, flags: FieldFlags) => {
      const { client, place } = await placeOf(cli, flags)
      const made = await client.events.subscriptions.create(place, {
        url,
        types: [...(flags.types ?? ['*'])],
        ...fieldsOf(flags),
      })
      if (flags.json) return cli.out.json(made)
      cli.out.line(made.secret)
      cli.out.note(
        `Subscription ${made.subscription_id}. The line above is the secret of its signatures: keep it, it is not shown again.`,
      )
    })
}

/** The fields that the flags name, beside the types. */
export function fieldsOf({
  name,
  strict,
  header: headers,
}: FieldFlags): Partial<CreateEventSubscriptionInput> {
  return {
    ...(name !== undefined && { name }),
    ...(strict !== undefined && { ordering: strict ? 'strict' : 'none' }),
    ...(headers !== undefined && Object.keys(headers).length > 0 && { headers }),
  }
}

/** Collects `Name: value`. */
export function header(text: string, others: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.+)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError("give it as 'Name: value'.")
  return { ...others, [name]: value }
}
