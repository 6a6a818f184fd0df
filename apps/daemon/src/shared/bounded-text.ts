import { cleanText } from './clean.ts'

/** Text that grows by pieces, of which no more than `max` characters are held. */
export function createBoundedText(max: number) {
  const held: string[] = []
  let size = 0
  let total = 0
  return {
    /** Gives the part that is held; nothing once it is full. */
    add: (piece: string): string => {
      total += piece.length
      if (size >= max) return ''
      const kept = piece.slice(0, max - size)
      held.push(kept)
      size += kept.length
      return kept
    },
    /** As a database can hold it; one that was cut says how long it was. */
    read: (): string => {
      const text = cleanText(held.join(''), max)
      return total > size ? `${text}\n[cut: ${total} characters]` : text
    },
  }
}

export type BoundedText = ReturnType<typeof createBoundedText>
