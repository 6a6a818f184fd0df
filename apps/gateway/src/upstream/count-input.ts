import type { Body, Dialect, PriceCard } from '@svc/models'
import { z } from 'zod'
import type { Candidate } from '../call/candidates.ts'
import { readBeginning } from '../call/upstream-answer.ts'
import type { Provider } from '../config/provider.ts'
import type { GatewayCore } from '../gateway-core.ts'
import { vendorBody } from '../translate/vendor-body.ts'
import { send } from './send.ts'

const Counted = z.looseObject({ input_tokens: z.number().int().min(0) })
const timeoutMs = 20_000

/** The route of a kind that counts, the dialect that it reads, and the members of that dialect that it takes. */
const counters = {
  anthropic: {
    path: '/messages/count_tokens',
    dialect: 'messages',
    members: ['messages', 'system', 'tools', 'tool_choice', 'thinking', 'mcp_servers', 'output_config'],
  },
  openai: {
    path: '/responses/input_tokens',
    dialect: 'responses',
    members: [
      ...['input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning'],
      ...['text', 'truncation'],
    ],
  },
} as const

function counterOf({ kind }: Pick<Provider, 'kind'>) {
  return kind === 'anthropic' || kind === 'openai' ? counters[kind] : null
}

export const canCount = (provider: Pick<Provider, 'kind'>): boolean => counterOf(provider) !== null

/** Whether a count can make a call cheaper than its bytes say. */
export const mayCount = (
  { provider }: Candidate,
  { card }: { readonly card: Pick<PriceCard, 'input'> },
): boolean => canCount(provider) && card.input > 0

interface ToCount {
  readonly candidate: Candidate
  readonly dialect: Pick<Dialect, 'name'>
  readonly body: Body
  readonly search: string
  readonly headers: Headers
  readonly signal: AbortSignal
}

/** The provider's own count of the input of a call, free of charge; null where it has none or does not answer. */
export async function countAtProvider(core: GatewayCore, asked: ToCount): Promise<number | null> {
  const { candidate, dialect, body, search, headers } = asked
  const { provider, key, name } = candidate
  const counter = counterOf(provider)
  if (counter === null) return null
  const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(timeoutMs)])
  try {
    const value =
      dialect.name === counter.dialect ? body.value : await vendorBody({ candidate, dialect, body, signal })
    const members: readonly string[] = counter.members
    const kept = Object.entries(value).filter(([member]) => members.includes(member))
    const answer = await send({
      provider,
      secret: core.secretOf(provider, key),
      path: counter.path,
      search: dialect.name === counter.dialect && counter.dialect === 'messages' ? search : '',
      body: JSON.stringify({ model: name.id, ...Object.fromEntries(kept) }),
      headers,
      dispatcher: core.pools.of(provider),
      signal,
    })
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      return null
    }
    return Counted.parse(JSON.parse(await readBeginning(answer.body))).input_tokens
  } catch (err) {
    core.log.debug({ err }, 'a provider did not count')
    return null
  }
}
