import { GatewayRefusal } from '../door/refusal.ts'
import type { Candidate } from './candidates.ts'

/** The beginning of a provider's answer. */
export interface UpstreamAnswer {
  readonly candidate: Candidate
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array>
}

const maxBeginning = 64 * 1024
/** More than any model answers at once. */
export const maxAnswerBytes = 64 * 1024 * 1024

export function answerTooLong(): GatewayRefusal {
  return new GatewayRefusal({
    status: 502,
    code: 'model_unavailable',
    message: 'The answer of the model provider is too long',
  })
}

/** The beginning of an answer, which is all of one that is short: a number, or why it is a failure. */
export async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= maxBeginning) break
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, maxBeginning)
}

export function headersOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): UpstreamAnswer['headers'] {
  return {
    get(name) {
      const value = headers[name]
      return value === undefined ? null : ([value].flat()[0] ?? null)
    },
  }
}
