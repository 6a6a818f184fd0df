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

/**
 * The most tokens that the input can be: a byte-level tokenizer makes at most one of a byte. Null where nothing bounds
 * it: media of unknown size, for a model of unknown window.
 */
export function inputBound(
  { text_bytes, has_tools, inline_images, unsized_media }: InputSize,
  context_window: number | null,
): number | null {
  if (unsized_media > 0) return context_window
  const bound = text_bytes + (has_tools ? toolTokens : 0) + inline_images * imageTokens
  return withinWindow(bound, context_window)
}

/** The bound that an upstream's own count of the input gives. */
export function countedInputBound(counted: number, context_window: number | null): number {
  return withinWindow(counted + Math.ceil((counted * countedPercent) / 100) + countedMargin, context_window)
}

function withinWindow(bound: number, context_window: number | null): number {
  return context_window === null ? bound : Math.min(bound, context_window)
}
