import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A mail server that keeps what it is given. `lose` answers after the mail was kept as if it were not. */
export async function startSink() {
  const mails: ParsedMail[] = []
  const fault = { lose: 0, refuse: 0 }
  const server = new SMTPServer({
    ...{
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      disableReverseLookup: true,
    },
    onData: (stream, _session, answer) => {
      const work = async () => {
        const mail = await simpleParser(await buffer(stream))
        if (fault.refuse > 0) {
          fault.refuse -= 1
          throw Object.assign(new Error('Not here'), { responseCode: 550 })
        }
        mails.push(mail)
        if (fault.lose === 0) return
        fault.lose -= 1
        throw Object.assign(new Error('Later'), { responseCode: 451 })
      }
      work().then(() => answer(null), answer)
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const close = () => new Promise<void>((done) => server.close(() => done()))
  return { mails, fault, url: `smtp://127.0.0.1:${port}`, close }
}
