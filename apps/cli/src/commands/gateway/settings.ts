import { counted } from '@svc/facts'
import type { GatewaySettings, ProjectGateway, UpdateGatewayInput } from '@svc/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { PlaceFlags, Placing } from './place.ts'

type Fallbacks = NonNullable<UpdateGatewayInput['fallbacks']>

interface SettingsFlags extends PlaceFlags, JsonFlag {
  readonly defaultModel?: string
  readonly models?: string
  readonly fallback?: string[]
  readonly logBodies?: 'on' | 'off'
  readonly bodyDays?: string
}

/** Which models a place lets calls have: shown, and changed by what is given. */
export function settings(command: Command, cli: Cli, { flags, placeOf }: Placing): void {
  flags(jsonFlag(command))
    .option('--default-model <model>', 'for calls that name none; "none" leaves it to the next place')
    .option(
      '--models <patterns>',
      'what calls may name, such as acme/*,demo; "all" lets every model through, "none" no model',
    )
    .option(
      '--fallback <model=models...>',
      'asked in turn where the model does not answer: acme/great=acme/small,other/x+billed; nothing behind = ends it',
    )
    .addOption(
      new Option('--log-bodies <state>', 'whether requests and answers are kept').choices(['on', 'off']),
    )
    .option('--body-days <days>', 'how long they are kept, 1 to 90')
    .action(async ({ json, project, account, ...given }: SettingsFlags) => {
      const place = await placeOf({ ...(project && { project }), ...(account && { account }) })
      const before = await place.settings()
      const change = changeOf(given, before)
      const now = Object.keys(change).length === 0 ? before : await place.update(change)
      return json ? cli.out.json(now) : show(cli, now)
    })
}

function changeOf(given: SettingsFlags, { fallbacks }: GatewaySettings): UpdateGatewayInput {
  const { defaultModel, models, fallback, logBodies, bodyDays } = given
  return {
    ...(defaultModel !== undefined && { default_model: defaultModel === 'none' ? null : defaultModel }),
    ...(models !== undefined && { models: patternsOf(models) }),
    ...(fallback !== undefined && { fallbacks: withFallbacks(fallbacks, fallback) }),
    ...(logBodies !== undefined && { log_bodies: logBodies === 'on' }),
    ...(bodyDays !== undefined && { body_days: Number(bodyDays) }),
  }
}

function patternsOf(given: string): string[] | null {
  if (given === 'all') return null
  return given === 'none' ? [] : given.split(',')
}

const billed = '+billed'

function withFallbacks(before: Fallbacks, given: readonly string[]): Fallbacks {
  const lists = new Map(Object.entries(before))
  for (const text of given) {
    const at = text.indexOf('=')
    if (at < 1) throw new InvalidArgumentError(`${JSON.stringify(text)}: say <model>=<model>,<model>.`)
    const entries = text
      .slice(at + 1)
      .split(',')
      .filter((entry) => entry !== '')
      .map((entry) =>
        entry.endsWith(billed) ? { model: entry.slice(0, -billed.length), billed: true } : entry,
      )
    if (entries.length === 0) lists.delete(text.slice(0, at))
    else lists.set(text.slice(0, at), entries)
  }
  return Object.fromEntries(lists)
}

function show({ out }: Cli, shown: GatewaySettings | ProjectGateway): void {
  if ('enabled' in shown) {
    out.line(`Gateway: ${stateOf(shown)}`)
    if (shown.base_url !== null) out.line(`Address: ${shown.base_url}`)
  }
  const { default_model, models, agents, fallbacks, log_bodies, body_days } = shown
  out.line(`Default model: ${oneLine(default_model ?? 'as the next place says')}`)
  out.line(`Models: ${models === null ? 'all' : oneLine(models.join(', ') || 'none')}`)
  for (const [agent, list] of Object.entries(agents))
    out.line(`Models of ${oneLine(agent)}: ${list.models === null ? 'all' : oneLine(list.models.join(', '))}`)
  for (const [model, list] of Object.entries(fallbacks))
    out.line(`Fallbacks of ${oneLine(model)}: ${oneLine(list.map(nameOf).join(', '))}`)
  out.line(`Bodies: ${log_bodies ? `kept for ${counted(body_days, 'day')}` : 'not kept'}`)
}

function nameOf(entry: Fallbacks[string][number]): string {
  return typeof entry === 'string' ? entry : `${entry.model}${entry.billed === true ? billed : ''}`
}

function stateOf({ enabled, offered, entitled }: ProjectGateway): string {
  if (!offered) return 'not offered by the operator'
  if (!entitled) return 'not in the plan of the account'
  return enabled ? 'on' : 'off: its feature model_gateway is not switched on'
}
