/** The limits at which an agent stops in a turn, by the words of the protocol. */
const limits = {
  max_tokens: 'The agent stopped at the limit of tokens for one answer.',
  max_turn_requests: 'The agent stopped at the limit of model requests for one turn.',
} as const

export type TurnLimit = keyof typeof limits

/** The limit that a turn ended at; null where it came to its end by itself, or for another reason. */
export function limitOf(stop_reason: unknown): TurnLimit | null {
  return stop_reason === 'max_tokens' || stop_reason === 'max_turn_requests' ? stop_reason : null
}

export const limitText = (limit: TurnLimit): string => limits[limit]
