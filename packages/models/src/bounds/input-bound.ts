/** Tokens that tool definitions add to the text of a prompt. */
const toolTokens = 1_024
/** An inline image may cost more tokens than it has bytes. */
const imageTokens = 5_000
const countedMargin = 64
const countedPercent = 5

/** The size of a request, as its dialect reads it. */
export interface InputSize {
  /** UTF-8 bytes of the whole body, inline media as their base64. */
  readonly text_bytes: number
  readonly has_tools: boolean
  readonly inline_images: number
  /** Media whose length the body does not say: those at an address, and documents. */
  readonly unsized_media: number
}

/** The most tokens that the input can be: a byte-level tokenizer makes at most one of a byte. */
export function inputBound(
  { text_bytes, has_tools, inline_images, unsized_media }: InputSize,
  context_window: number | null,
): number {
  const window = context_window ?? Number.POSITIVE_INFINITY
  const bound = text_bytes + (has_tools ? toolTokens : 0) + inline_images * imageTokens
  const least = unsized_media > 0 ? Math.max(bound, window) : bound
  return Math.min(least, window)
}

/** The bound that an upstream's own count of the input gives. */
export function countedInputBound(counted: number, context_window: number | null): number {
  const bound = counted + Math.ceil((counted * countedPercent) / 100) + countedMargin
  return Math.min(bound, context_window ?? Number.POSITIVE_INFINITY)
}
