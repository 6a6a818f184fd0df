export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A way for mails out of the platform. */
export interface MailTransport {
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}
