import type { Candidate } from './candidates.ts'

/** The beginning of a provider's answer. */
export interface UpstreamAnswer {
  readonly candidate: Candidate
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array>
}

const maxFailureBytes = 64 * 1024

/** The beginning of an answer, which says why it is a failure. */
export async function readFailure(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= maxFailureBytes) break
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, maxFailureBytes)
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
