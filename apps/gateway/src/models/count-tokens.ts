import { type Body, countTokens, keptOutBy } from '@svc/models'
import { z } from 'zod'
import { allowlists } from '../config/config.ts'
import { candidatesOf } from '../call/candidates.ts'
import { chooseModel } from '../call/choose-model.ts'
import type { GatewayCaller } from '../door/authenticate.ts'
import type { GatewayCore } from '../gateway-core.ts'
import { send } from '../upstream/send.ts'

const Counted = z.looseObject({ input_tokens: z.number().int().min(0) })
const countTimeoutMs = 20_000

interface ToCount {
  readonly caller: GatewayCaller
  readonly body: Body
  readonly search: string
  readonly headers: Headers
  readonly signal: AbortSignal
}

/** The tokens of a prompt: the upstream's own count, or an estimate where it cannot count. Free, and in no log. */
export async function countInput(core: GatewayCore, asked: ToCount) {
  const { caller, body } = asked
  const config = await core.config(caller)
  const said = body.value['model']
  const name = chooseModel(
    config,
    typeof said === 'string' && said !== 'auto' ? said : null,
    caller,
    core.default_model,
  )
  const lists = allowlists(config, core.offered_models, caller.agent_name)
  const found = candidatesOf(config, name, caller, {
    now: core.now(),
    isAllowed: (other) => keptOutBy(lists, other) === null,
  })
  const own = found.usable.find(({ provider, fallback }) => provider.kind === 'anthropic' && fallback === 0)
  const counted = own && keptOutBy(lists, name) === null ? await ask(core, asked, own) : null
  return counted ?? { input_tokens: countTokens(body.text), estimated: true }
}

async function ask(
  core: GatewayCore,
  { body, search, headers, signal }: ToCount,
  { name, provider, key }: ReturnType<typeof candidatesOf>['usable'][number],
) {
  try {
    const answer = await send({
      provider,
      secret: core.secretOf(provider, key),
      path: '/messages/count_tokens',
      search,
      body: JSON.stringify({ ...body.value, model: name.id }),
      headers,
      dispatcher: core.pools.of(provider),
      signal: AbortSignal.any([signal, AbortSignal.timeout(countTimeoutMs)]),
    })
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      return null
    }
    return { ...Counted.parse(await answer.body.json()), estimated: false }
  } catch (err) {
    core.log.debug({ err }, 'a provider did not count')
    return null
  }
}
