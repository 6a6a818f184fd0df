import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { PlaceFlags, Placing } from './place.ts'
import { readApiKey } from './read-api-key.ts'

export function providerKeys(group: Command, cli: Cli, { flags, placeOf }: Placing, path: string): void {
  flags(jsonFlag(group.command('ls').description('by their ends, with what went wrong last')))
    .argument('<slug>')
    .action(async (slug: string, { json, ...place }: PlaceFlags & JsonFlag) => {
      const list = await (await placeOf(place)).providers.list()
      const keys = list.find((one) => one.slug === slug)?.keys ?? []
      if (json) return cli.out.json(keys)
      if (keys.length === 0) return cli.out.note('None here.')
      cli.out.table(
        [
          { header: 'NAME', flexible: true },
          { header: 'ENDS WITH' },
          { header: 'LAST ERROR', optional: true },
          { header: 'ID' },
        ],
        keys.map(({ key_id, name, hint, last_error }) => [
          oneLine(name),
          oneLine(hint),
          last_error === null ? '-' : oneLine(last_error),
          key_id,
        ]),
      )
    })

  flags(jsonFlag(group.command('add').description('give a key to a provider')))
    .argument('<slug>')
    .argument('<name>', 'what you know the key by')
    .requiredOption('--api-key <->', 'the key: - reads it from stdin')
    .action(
      async (
        slug: string,
        name: string,
        { json, apiKey, ...place }: PlaceFlags & JsonFlag & { readonly apiKey: string },
      ) => {
        const api_key = await readApiKey(cli, apiKey, `${path} add ${slug} ${name}`)
        const key = await (await placeOf(place)).providers.addKey(slug, { name, api_key })
        return json ? cli.out.json(key) : cli.out.line(`Added ${key.key_id}`)
      },
    )

  flags(group.command('rm').description('take keys from a provider'))
    .argument('<slug>')
    .argument('<key-id...>')
    .action(async (slug: string, ids: string[], place: PlaceFlags) => {
      const { providers } = await placeOf(place)
      for (const id of ids) {
        await providers.removeKey(slug, id)
        cli.out.line(`Removed ${id}`)
      }
    })
}
