import { type Body, countTokens, type Dialect, keptOutBy } from '@svc/models'
import { allowlistsOf } from '../config/config.ts'
import { candidatesOf } from '../call/candidates.ts'
import { chooseModel } from '../call/choose-model.ts'
import type { GatewayCaller } from '../door/authenticate.ts'
import type { GatewayCore } from '../gateway-core.ts'
import { canCount, countAtProvider } from '../upstream/count-input.ts'

interface ToCount {
  readonly caller: GatewayCaller
  readonly dialect: Dialect
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
  const lists = allowlistsOf(config, core.offered_models, caller)
  const found = candidatesOf(config, name, caller, {
    now: core.now(),
    isAllowed: (other) => keptOutBy(lists, other) === null,
  })
  const own = found.usable.find(({ provider, fallback }) => canCount(provider) && fallback === 0)
  const counted =
    own && keptOutBy(lists, name) === null ? await countAtProvider(core, { ...asked, candidate: own }) : null
  if (counted !== null) return { input_tokens: counted, estimated: false }
  return { input_tokens: countTokens(body.text), estimated: true }
}
