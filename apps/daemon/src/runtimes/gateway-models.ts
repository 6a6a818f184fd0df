import { z } from 'zod'
import { backoffMs, pause } from '../shared/backoff.ts'

const size = z.number().int().positive().optional().catch(undefined)

/** OpenAI's list, with the sizes that some gateways add. */
const ModelList = z.object({
  data: z.array(
    z.object({ id: z.string().min(1), context_window: size, context_length: size, max_output_tokens: size }),
  ),
})

export interface GatewayModel {
  readonly id: string
  readonly context: number
  readonly output: number
}

const defaultContext = 128_000
const defaultOutput = 16_384
const attempts = 4

export function gatewayModels(body: unknown): GatewayModel[] {
  return ModelList.parse(body).data.map((model) => ({
    id: model.id,
    context: model.context_window ?? model.context_length ?? defaultContext,
    output: model.max_output_tokens ?? defaultOutput,
  }))
}

/** A gateway that just starts is given a moment. */
export async function listGatewayModels(base_url: string, key: string | undefined): Promise<GatewayModel[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const response = await fetch(`${base_url}/models`, { headers, signal: AbortSignal.timeout(5_000) })
      if (!response.ok) throw new Error(`it answered ${response.status}`)
      return gatewayModels(await response.json())
    } catch (cause) {
      if (attempt >= attempts) throw new Error('The model gateway does not list its models', { cause })
      await pause(backoffMs(attempt - 1))
    }
  }
}
