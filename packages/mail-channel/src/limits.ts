/** Bounds of mails. */
export const mailLimits = {
  bytes: 25 * 1024 * 1024,
  /** Of what its writer says, and of what it quotes. */
  chars: 40_000,
  /** HTML of more characters is not made to text. */
  htmlChars: 1024 * 1024,
  /** Servers that a mail came through. */
  received: 20,
  files: 100,
  /** Of the mails that a mail answers. */
  references: 30,
  /** Mails to an address in a thread in an hour, beyond those that it caused. */
  perHour: 10,
} as const
