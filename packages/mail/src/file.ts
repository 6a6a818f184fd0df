import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@svc/boot'
import { createFile } from '@svc/files'
import type { MailTransport } from './transport.ts'

/** Mails as files that only this user reads, for a machine that sends none. The log says where each is. */
export function fileMail(folder: string, log: Logger): MailTransport {
  return {
    async send({ to, subject, text }) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = join(
        folder,
        `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.txt`,
      )
      await createFile(file, `To: ${to}\nSubject: ${subject}\n\n${text}`)
      log.warn({ file, subject }, 'A mail was written to a file')
    },
    close: () => Promise.resolve(),
  }
}
