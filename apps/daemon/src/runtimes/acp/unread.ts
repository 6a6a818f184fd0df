/** Parts of an agent’s output that this daemon could not read, since it last said so. */
export interface Unread {
  /** Updates of a kind that it does not know: version 1 of the protocol grows by capability. */
  unknown_updates: number
  /** Lines that are no message. */
  garbage_lines: number
}

export const noneUnread = (): Unread => ({ unknown_updates: 0, garbage_lines: 0 })
