import type { PlatformEvent } from '@svc/sdk'
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { placeFlags, type PlaceFlags, placeOf } from './place.ts'

interface Flags extends JsonFlag, PlaceFlags {
  readonly types?: readonly string[]
  readonly after?: number
}

export const tail: Configure = (command, cli) => {
  typesFlag(jsonFlag(placeFlags(command)))
    .option(
      '--after <sequence>',
      'begin behind this one, 0 for all that is kept; else with what happens now',
      sequence,
    )
    .action(async (flags: Flags) => {
      const { client, place } = await placeOf(cli, flags)
      const { types } = flags
      const after = flags.after ?? (await client.events.list(place, { limit: 1 })).last_sequence
      for await (const event of client.events.tail(place, { after, ...(types && { types }) }))
        cli.out.line(flags.json ? JSON.stringify(event) : lineOf(event))
    })
}

export function typesFlag(command: Command): Command {
  return command.option('--types <patterns>', 'types or patterns such as cr.*, with commas', (text) =>
    text.split(',').map((one) => one.trim()),
  )
}

function sequence(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('give the sequence of an event, or 0.')
  return Number(text)
}

/** The names and states of an event: ids are in the JSON. */
function lineOf({ sequence: number, timestamp, type, data }: PlatformEvent): string {
  const said = Object.entries(data)
    .filter(([name, value]) => typeof value === 'string' && !/_id$|_sha$/.test(name))
    .map(([name, value]) => `${name}=${String(value)}`)
  return oneLine(`${number} ${timestamp} ${type} ${said.join(' ')}`.trimEnd())
}
