export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same as HTML, beside the text. */
  readonly html?: string | undefined
  /** The name of the mail for good, without brackets: one that is sent twice under it is shown once by most readers. */
  readonly message_id?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A way for mails out of the platform. */
export interface MailTransport {
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}
