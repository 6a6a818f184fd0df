import type { EventReading } from '../dialects/dialect.ts'
import { countTokens } from './tokenizer.ts'

/** The output of a stream as it grows. */
export interface OutputCounter {
  add(reading: Pick<EventReading, 'output' | 'output_tokens'>): void
  /** The tokens so far: the provider's own count where it gave one, and what came after it. */
  tokens(): number
  /** The same question as `tokens() > limit`, without a count as long as the bytes alone answer it. */
  isAbove(limit: number): boolean
}

/** Text that is counted for good, so that a word is never counted in halves more often than this. */
const blockLength = 512

/**
 * Counts what a stream writes. Pieces are counted together: a provider that sends single letters is not charged a token
 * for each.
 */
export function outputCounter(count: (text: string) => number = countTokens): OutputCounter {
  let counted = 0
  let pending = ''
  let pendingBytes = 0
  const put = (tokens: number) => {
    counted = tokens
    pending = ''
    pendingBytes = 0
  }
  const tokens = () => {
    if (pending.length >= blockLength) put(counted + count(pending))
    return pending === '' ? counted : counted + count(pending)
  }
  return {
    add({ output, output_tokens }) {
      for (const text of output) {
        pending += text
        pendingBytes += Buffer.byteLength(text)
      }
      // A count of an event includes the text of the same event.
      if (output_tokens !== null) put(output_tokens)
    },
    tokens,
    isAbove: (limit) => counted + pendingBytes > limit && tokens() > limit,
  }
}

/** The tokens of a whole answer whose provider gave no usage. */
export function outputTokens(output: readonly string[]): number {
  return output.reduce((sum, text) => sum + countTokens(text), 0)
}
