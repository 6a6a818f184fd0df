import { microsOfUsd, usd } from '@svc/facts'
import type { GatewayPrice } from '@svc/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { PlaceFlags, Placing } from './place.ts'

interface SetFlags extends PlaceFlags, JsonFlag {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly request?: number
}

/** The prices that a place sets, in USD for a million tokens. */
export function prices(group: Command, cli: Cli, { flags, placeOf }: Placing): void {
  flags(jsonFlag(group.command('ls').description('what people priced, in USD for a million tokens'))).action(
    async ({ json, ...place }: PlaceFlags & JsonFlag) => {
      const list = await (await placeOf(place)).prices.list()
      return json ? cli.out.json(list) : show(cli, list)
    },
  )

  flags(jsonFlag(group.command('set').description('set the price of a model, in USD for a million tokens')))
    .argument('<provider/model>')
    .requiredOption('--input <usd>', 'a million tokens of input', amount)
    .requiredOption('--output <usd>', 'a million tokens of output', amount)
    .option('--cache-read <usd>', 'input that the provider had kept; else as other input', amount)
    .option('--cache-write <usd>', 'input that it is to keep; else as other input', amount)
    .option('--request <usd>', 'each call beside its tokens', amount)
    .action(
      async (model: string, { json, input, output, cacheRead, cacheWrite, request, ...place }: SetFlags) => {
        const card = {
          ...{ input, output },
          ...(cacheRead !== undefined && { cache_read: cacheRead }),
          ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
          ...(request !== undefined && { request }),
        }
        const set = await (await placeOf(place)).prices.set({ model, card })
        return json ? cli.out.json(set) : cli.out.line(`${oneLine(set.model)}: ${priceText(set)}`)
      },
    )

  flags(group.command('rm').description('take prices back; the next place’s hold then'))
    .argument('<provider/model...>')
    .action(async (models: string[], place: PlaceFlags) => {
      const { prices: of } = await placeOf(place)
      for (const model of models) {
        await of.remove(model)
        cli.out.line(`Removed the price of ${model}`)
      }
    })
}

function show({ out }: Cli, list: readonly GatewayPrice[]): void {
  if (list.length === 0) return out.note('None here: the bundled price list holds.')
  out.table(
    [{ header: 'MODEL', flexible: true }, { header: 'INPUT' }, { header: 'OUTPUT' }, { header: 'SET BY' }],
    list.map(({ model, card, source }) => [oneLine(model), usd(card.input), usd(card.output), source]),
  )
}

const priceText = ({ card }: GatewayPrice) =>
  `${usd(card.input)} in, ${usd(card.output)} out, a million tokens`

function amount(text: string): number {
  const micros = microsOfUsd(text)
  if (micros !== null) return micros
  throw new InvalidArgumentError('give USD, such as 3 or 0.30.')
}
