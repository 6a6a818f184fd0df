export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same as HTML, beside the text. */
  readonly html?: string | undefined
  /** The name of the mail for good, without brackets: one that is sent twice under it is shown once by most readers. */
  readonly message_id?: string | undefined
  /** As `name <address>`; else the sender of all mails. */
  readonly from?: string | undefined
  readonly reply_to?: string | undefined
  /** The mail that it answers, and those before it, without brackets. */
  readonly in_reply_to?: string | undefined
  readonly references?: readonly string[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly attachments?: readonly MailAttachment[] | undefined
}

interface MailAttachment {
  readonly filename: string
  readonly content_type: string
  readonly content: Uint8Array
}

/** A way for mails out of the platform. */
export interface MailTransport {
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}
