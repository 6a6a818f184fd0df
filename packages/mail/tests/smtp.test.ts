import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { smtpMail } from '../src/smtp.ts'

let server: Server | undefined
afterEach(async () => {
  server?.close()
})

/** As much of an SMTP server as takes a mail; it refuses the first `failures` of them for now. */
async function smtpServer(failures: number): Promise<{ url: string; mails: string[] }> {
  const mails: string[] = []
  let left = failures
  server = createServer((socket) => {
    let data = false
    let text = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString()
      for (;;) {
        const end = data ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (data ? 5 : 2))
        if (data) {
          data = false
          mails.push(line)
          say('250 taken')
        } else if (/^(EHLO|HELO|RCPT)/i.test(line)) say('250 ok')
        else if (/^MAIL/i.test(line)) say(left-- > 0 ? '451 later' : '250 ok')
        else if (/^DATA/i.test(line)) {
          data = true
          say('354 go on')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else if (/^STARTTLS/i.test(line)) say('502 not here')
        else say('250 ok')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, mails }
}

const mail = { to: 'ada@example.com', subject: 'Sign in', text: 'Your code is 1234 5678.\n' }
const from = 'svc <noreply@svc.invalid>'

test('a mail reaches the server, also when it is refused for now at first', async () => {
  const { url, mails } = await smtpServer(2)
  const transport = smtpMail({ url, from, retry_ms: [1, 1] })
  await transport.send(mail)
  await transport.close()
  expect(mails).toHaveLength(1)
  expect(mails[0]).toContain('To: ada@example.com')
  expect(mails[0]).toContain('From: svc <noreply@svc.invalid>')
  expect(mails[0]).toContain('Your code is 1234 5678.')
})

test('a mail that is refused each time is given up with the reason', async () => {
  const { url, mails } = await smtpServer(99)
  const transport = smtpMail({ url, from, retry_ms: [1] })
  await expect(transport.send(mail)).rejects.toThrow('451')
  await transport.close()
  expect(mails).toEqual([])
})

test('a server without TLS gets nothing where TLS is asked for', async () => {
  const { url, mails } = await smtpServer(0)
  const transport = smtpMail({ url: `${url}?requireTLS=true`, from, retry_ms: [] })
  await expect(transport.send(mail)).rejects.toThrow('STARTTLS')
  await transport.close()
  expect(mails).toEqual([])
})

test('closing does not wait for the pause before a further try', async () => {
  const { url } = await smtpServer(99)
  const transport = smtpMail({ url, from, retry_ms: [3_600_000] })
  const sending = transport.send(mail)
  const outcome = expect(sending).rejects.toThrow('451')
  await transport.close()
  await outcome
})
