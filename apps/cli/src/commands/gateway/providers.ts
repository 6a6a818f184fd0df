import type { GatewayProvider } from '@svc/sdk'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { ReportedFailure } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { PlaceFlags, Placing } from './place.ts'
import { providerKeys } from './provider-keys.ts'
import { readApiKey } from './read-api-key.ts'

interface AddFlags extends PlaceFlags, JsonFlag {
  readonly kind: GatewayProvider['kind'] & Kind
  readonly url: string
  readonly apiKey?: string
  readonly model?: string[]
}

type Kind = 'openai' | 'openai_compatible' | 'anthropic'
const kinds: readonly Kind[] = ['openai', 'openai_compatible', 'anthropic']

/** The providers of a place; `path` is how the group is called. */
export function providers(group: Command, cli: Cli, { flags, placeOf }: Placing, path: string): void {
  flags(jsonFlag(group.command('ls').description('the providers, with the ends of their keys'))).action(
    async ({ json, ...place }: PlaceFlags & JsonFlag) => {
      const list = await (await placeOf(place)).providers.list()
      return json ? cli.out.json(list) : show(cli, list)
    },
  )

  flags(jsonFlag(group.command('add').description('add a provider; its models are <slug>/<model>')))
    .argument('<slug>')
    .addOption(
      new Option('--kind <kind>', 'the dialect that it reads').choices(kinds).default('openai_compatible'),
    )
    .requiredOption('--url <url>', 'the root of its routes, such as https://models.acme.example/v1')
    .option('--api-key <->', 'its key: - reads it from stdin')
    .option('--model <id...>', 'what it offers; else it is asked')
    .action(async (slug: string, { json, kind, url, apiKey, model, ...place }: AddFlags) => {
      const key =
        apiKey === undefined
          ? {}
          : { api_key: await readApiKey(cli, apiKey, `${path} add ${slug} --url ${url}`) }
      const models = model === undefined ? {} : { models: model }
      const input = { slug, kind, base_url: url, ...key, ...models }
      const made = await (await placeOf(place)).providers.create(input)
      if (json) return cli.out.json(made)
      cli.out.line(`Added ${made.slug}`)
      cli.out.note(`See whether it answers: svc ${path} test ${made.slug}`)
    })

  flags(group.command('rm').description('remove providers with their keys'))
    .argument('<slug...>')
    .action(async (slugs: string[], place: PlaceFlags) => {
      const { providers: of } = await placeOf(place)
      for (const slug of slugs) {
        await of.delete(slug)
        cli.out.line(`Removed ${slug}`)
      }
    })

  flags(jsonFlag(group.command('test').description('ask a provider for its models, at no cost')))
    .argument('<slug>')
    .action(async (slug: string, { json, ...place }: PlaceFlags & JsonFlag) => {
      const said = await (await placeOf(place)).providers.test(slug)
      if (json) cli.out.json(said)
      else {
        cli.out.line(`${said.ok ? 'ok' : 'failed'} after ${said.latency_ms} ms: ${oneLine(said.message)}`)
        for (const model of said.models) cli.out.line(`${slug}/${oneLine(model)}`)
      }
      if (!said.ok) throw new ReportedFailure(said.message)
    })

  providerKeys(
    group.command('keys').description('the keys of a provider; they take turns'),
    cli,
    { flags, placeOf },
    `${path} keys`,
  )
}

function show({ out }: Cli, list: readonly GatewayProvider[]): void {
  if (list.length === 0) return out.note('None here.')
  out.table(
    [
      { header: 'SLUG' },
      { header: 'KIND' },
      { header: 'ADDRESS', flexible: true },
      { header: 'MODELS', optional: true },
      { header: 'KEYS' },
      { header: 'STATE' },
    ],
    list.map((one) => [
      one.slug,
      one.kind,
      oneLine(one.base_url),
      one.models === null ? 'as listed' : String(one.models.length),
      one.keys.map(({ name, hint }) => `${oneLine(name)} …${oneLine(hint)}`).join(', ') || '-',
      stateOf(one),
    ]),
  )
}

function stateOf({ enabled, managed_by }: GatewayProvider): string {
  if (!enabled) return 'off'
  return managed_by === 'environment' ? 'environment' : 'on'
}
