/** The place in a mailbox up to which its mails were taken. */
export interface MailboxPlace {
  readonly uid_validity: string
  /** The first UID that was not taken. */
  readonly next: number
}

export const placeText = ({ uid_validity, next }: MailboxPlace): string => `${uid_validity}:${next}`

export function readPlace(cursor: string | null): MailboxPlace | null {
  const [, uid_validity, next] = /^(\d+):(\d+)$/.exec(cursor ?? '') ?? []
  return uid_validity === undefined ? null : { uid_validity, next: Number(next) }
}

/**
 * The place to go on from. The first start begins with what comes from now on. Of a mailbox whose UIDs are others now all
 * that is unread counts: a mail that was taken is known by its `Message-ID`.
 */
export function placeNow(
  before: MailboxPlace | null,
  box: { readonly uid_validity: string; readonly uid_next: number },
): MailboxPlace {
  const { uid_validity, uid_next } = box
  if (before === null) return { uid_validity, next: uid_next }
  return before.uid_validity === uid_validity ? before : { uid_validity, next: 1 }
}
