import { z } from 'zod'

const count = z.number().int().min(0).catch(0)
const Usage = z.object({ prompt_tokens: count, completion_tokens: count })
const keptLength = 4_096

/**
 * The tokens that an answer reports: its last object `usage`, be it in the last events of a stream or at the end of a
 * body. No more than the end of the answer is kept, and none of it after.
 */
export function usageReader() {
  const decoder = new TextDecoder()
  let end = ''
  return {
    add(bytes: Uint8Array) {
      end = (end + decoder.decode(bytes, { stream: true })).slice(-keptLength)
    },
    read(): { readonly input: number; readonly output: number } {
      const [text] =
        end.match(/(?<="usage"\s*:\s*)\{(?:[^{}]|\{[^{}]*\})*\}(?![\s\S]*"usage"\s*:\s*\{)/) ?? []
      const usage = Usage.safeParse(parsed(text))
      return usage.success
        ? { input: usage.data.prompt_tokens, output: usage.data.completion_tokens }
        : { input: 0, output: 0 }
    },
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return null
  }
}
