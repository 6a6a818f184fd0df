/** The mail that a message goes out as. */
export interface Letter {
  readonly to: string
  /** Of the thread; null where none began. */
  readonly subject: string | null
  /** By which an answer finds the thread; null where it begins another one. */
  readonly token: string | null
  /** The mail that it answers, by its `Message-ID`. */
  readonly in_reply_to: string | null
  /** Earlier mails of the thread, oldest first. */
  readonly references: readonly string[]
}

/** The mails of a channel, as its rows have them. */
export interface Correspondence {
  /** Of a message in a thread; null for a thread that has no writer any more. */
  inThread(root: string, message_id: string): Promise<Letter | null>
  /** Of words for one sender alone about a mail of theirs. */
  toSender(root: string, sender: string): Promise<Letter>
}
