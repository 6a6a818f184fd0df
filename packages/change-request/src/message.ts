export interface MergeMessageInput {
  readonly cr_id: string
  readonly number: number
  readonly title: string
  readonly origin_session_id: string | null
}

/** The message of a merge commit: the caller's or the default, then the trailers that lead back to the row. */
export function mergeMessage(cr: MergeMessageInput, message: string | undefined): string {
  const subject = message?.trim() ? message.trim() : `Merge CR #${cr.number}: ${cr.title}`
  const trailers = [`CR: ${cr.cr_id}`]
  if (cr.origin_session_id !== null) trailers.push(`Session: ${cr.origin_session_id}`)
  return `${subject}\n\n${trailers.join('\n')}\n`
}
