/** A pattern ready to be matched: whether the whole text is of it. */
export type Glob = (text: string) => boolean

interface Token {
  /** null is any one character. */
  readonly character: string | null
  /** Any text may stand before it. */
  readonly afterStar: boolean
}

/**
 * Makes the pattern of a policy: `*` any text, `?` one character, `\` takes the next one as it is; case matters, and the
 * whole text must match. All places of the pattern are walked at once, a bit each, so that the time grows with the text
 * times a 32nd of the pattern, whatever both hold.
 */
export function glob(pattern: string): Glob {
  const { tokens, openEnd } = tokensOf(pattern)
  const words = (tokens.length + 32) >>> 5
  const stars = new Uint32Array(words)
  const any = new Uint32Array(words)
  const masks = new Map<string, Uint32Array>()
  for (const [place, { character, afterStar }] of tokens.entries()) {
    if (afterStar) setBit(stars, place)
    if (character === null) setBit(any, place)
    else setBit(maskOf(masks, character, words), place)
  }
  if (openEnd) setBit(stars, tokens.length)
  return (text) => {
    // Bit n: the first n tokens are matched by the text so far.
    const reached = new Uint32Array(words)
    setBit(reached, 0)
    for (const character of text) {
      const mask = masks.get(character)
      let carry = 0
      for (let word = 0; word < words; word++) {
        const before = reached[word] ?? 0
        const moving = before & ((mask?.[word] ?? 0) | (any[word] ?? 0))
        reached[word] = (moving << 1) | carry | (before & (stars[word] ?? 0))
        carry = moving >>> 31
      }
    }
    return ((reached[tokens.length >>> 5] ?? 0) & (1 << (tokens.length & 31))) !== 0
  }
}

function tokensOf(pattern: string): { readonly tokens: readonly Token[]; readonly openEnd: boolean } {
  const tokens: Token[] = []
  const characters = [...pattern]
  let afterStar = false
  for (let index = 0; index < characters.length; index++) {
    const one = characters[index] ?? ''
    if (one === '*') {
      afterStar = true
      continue
    }
    // A `\` at the end stands for itself.
    const character = one === '\\' ? (characters[++index] ?? one) : one === '?' ? null : one
    tokens.push({ character, afterStar })
    afterStar = false
  }
  return { tokens, openEnd: afterStar }
}

function maskOf(masks: Map<string, Uint32Array>, character: string, words: number): Uint32Array {
  const mask = masks.get(character) ?? new Uint32Array(words)
  masks.set(character, mask)
  return mask
}

function setBit(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}
