import { z } from 'zod'
import { answerLimits } from '../../limits.ts'

/** Read loosely: kinds of content that a later revision adds are handed on. */
export const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().optional(),
})
export type ToolResult = z.output<typeof toolResult>
type Content = NonNullable<ToolResult['content']>[number]

interface Carried {
  readonly data: { readonly content: readonly Content[]; readonly structured_content: unknown }
  readonly truncated: boolean
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** The result within 1 MiB: structured content whole or not at all, then content in its order, the last text cut. */
export function carriedResult(result: ToolResult, maxBytes: number = answerLimits.carried_bytes): Carried {
  const structured = result.structuredContent ?? null
  const keeps = structured === null || sizeOf(structured) <= maxBytes
  let left = maxBytes - (keeps ? sizeOf(structured) : 0)
  const content: Content[] = []
  let truncated = !keeps
  for (const block of result.content ?? []) {
    const size = sizeOf(block)
    if (size <= left) content.push(block)
    else {
      truncated = true
      content.push(shortened(block, size, left))
      break
    }
    left -= size
  }
  return { data: { content, structured_content: keeps ? structured : null }, truncated }
}

function shortened(block: Content, size: number, left: number): Content {
  const { type, text } = block
  if (type !== 'text' || typeof text !== 'string')
    return { type: 'text', text: `[left out: ${type} of ${size} bytes]` }
  // A character takes at most six bytes where it is escaped.
  const cut = text.slice(0, Math.floor(left / 6))
  return { type: 'text', text: cut.replace(/[\uD800-\uDBFF]$/, '') }
}

/** The words of a result, for a message. */
export function textOf(result: ToolResult): string {
  const texts = (result.content ?? []).flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  return texts.join('\n').slice(0, 2_000)
}
