import type { ProviderKind } from '@svc/db'
import { providerAddress, providerAuthorization } from '@svc/models'
import { type Dispatcher, request } from 'undici'
import { z } from 'zod'

const timeoutMs = 10_000
const maxBytes = 4 * 1024 * 1024
const maxListed = 1_000

const Listed = z.object({
  data: z.array(
    z.looseObject({
      id: z.string().min(1).max(200),
      display_name: z.string().optional(),
      name: z.string().optional(),
    }),
  ),
})

/** A model of a provider, with what is known of it. */
export interface OfferedModel {
  readonly id: string
  readonly name?: string | undefined
  readonly context_window?: number | undefined
  readonly max_output_tokens?: number | undefined
}

export interface ModelsAnswer {
  readonly status: number
  /** Null where the answer is no list. */
  readonly models: readonly OfferedModel[] | null
  readonly text: string
}

/** Asks a provider which models it has; a redirect is an answer. Throws where it cannot be reached. */
export async function askModels(
  provider: { readonly kind: ProviderKind; readonly base_url: string },
  secret: string | null,
  dispatcher: Dispatcher,
): Promise<ModelsAnswer> {
  const answer = await request(`${providerAddress(provider)}/models`, {
    headers: { accept: 'application/json', ...providerAuthorization(provider, secret) },
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await readWhole(answer.body)
  const listed = answer.statusCode === 200 ? Listed.safeParse(jsonOf(text)) : null
  return { status: answer.statusCode, text, models: listed?.success ? modelsOf(listed.data) : null }
}

function modelsOf({ data }: z.infer<typeof Listed>): readonly OfferedModel[] {
  return data.slice(0, maxListed).map(({ id, display_name, name }) => ({ id, name: display_name ?? name }))
}

async function readWhole(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error('the list of models is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
