/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number

/** Its time grows with the square of the length of a word: 2 ms at this one. */
const blockLength = 512
/** Text beyond this is counted by its bytes, since a count holds up all other calls of the process: 130 ms at the worst. */
const maxCounted = 32_768
const bytesPerToken = 4

let loading: Promise<CountTokens> | null = null
let loaded: CountTokens | null = null

/** Loads the tokenizer (o200k: 66 MB, a third of a second) once in a process. */
export function loadTokenizer(): Promise<CountTokens> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
    // A text that spells a special token is a text.
    const asText = { disallowedSpecial: new Set<string>() }
    loaded = (text) =>
      blocksOf(text.slice(0, maxCounted)).reduce((sum, block) => sum + countTokens(block, asText), 0) +
      tokensByBytes(text.slice(maxCounted))
    return loaded
  })
  return loading
}

/** Counts with the tokenizer where it is loaded, and by the bytes of the text until then. */
export function countTokens(text: string): number {
  return loaded === null ? tokensByBytes(text) : loaded(text)
}

function tokensByBytes(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

function blocksOf(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / blockLength) }, (_, at) =>
    text.slice(at * blockLength, (at + 1) * blockLength),
  )
}
