import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@svc/boot'
import { expect, test } from 'vitest'
import { fileMail } from './file.ts'

test('a mail is a file that only its owner reads, and the log says where, not what', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-mail-'))
  try {
    const lines: string[] = []
    const log = createLogger({
      name: 'test',
      level: 'debug',
      destination: { write: (line) => void lines.push(line) },
    })
    const mail = fileMail(join(root, 'mail'), log)
    await mail.send({ to: 'ada@example.com', subject: 'Sign in', text: 'Your code is 1234 5678.\n' })
    await mail.close()
    const [name = ''] = await readdir(join(root, 'mail'))
    const file = join(root, 'mail', name)
    expect(await readFile(file, 'utf8')).toBe(
      'To: ada@example.com\nSubject: Sign in\n\nYour code is 1234 5678.\n',
    )
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(root, 'mail'))).mode & 0o777).toBe(0o700)
    expect(lines.join('')).toContain(file)
    expect(lines.join('')).not.toContain('1234')
  } finally {
    await rm(root, { recursive: true })
  }
})
