import { ChannelRefused, type Received } from '@svc/channel'
import { ImapFlow } from 'imapflow'
import { expect, onTestFinished, test } from 'vitest'
import { mailboxStream, mailChannel } from '../src/index.ts'
import { describeWithMailServers, type MailServers } from './mail-servers.ts'

let boxes = 0

/** A mailbox that no other test has, and a person who writes to it from outside. */
function box(servers: MailServers) {
  boxes += 1
  const { host, port, password } = servers.imap
  const user = `box-${boxes}`
  const address = `${user}@${servers.box_domain}`
  const mailbox = { host, port, user, password, addresses: async () => [host] }
  const write = (subject: string, to = address) =>
    servers.outside.sendMail({
      ...{ from: 'ada@example.org', to, subject, text: 'Hello' },
      envelope: { from: 'ada@example.org', to },
    })
  /** Follows it until the test ends, or until what is returned is called. */
  const follow = (cursor: string | null, take: (received: readonly Received[]) => Promise<void>) => {
    const [stop, places]: [AbortController, string[]] = [new AbortController(), []]
    const keep_cursor = async (place: string) => void places.push(place)
    const { authserv_id } = servers
    const stream = mailboxStream({ mailbox, address, authserv_id, cursor, keep_cursor })
    const done = stream.follow(take, stop.signal)
    done.catch(() => undefined)
    const leave = async () => {
      stop.abort()
      await done.catch(() => undefined)
    }
    onTestFinished(leave)
    return { places, leave, done }
  }
  /** The flags of its mails, as another reader sees them. */
  async function flags(): Promise<string[][]> {
    const client = new ImapFlow({
      ...{ host, port, secure: false, logger: false },
      auth: { user, pass: password },
    })
    await client.connect()
    await client.mailboxOpen('INBOX')
    const all = await client.fetchAll('1:*', { flags: true })
    await client.logout()
    return all.map((mail) => [...(mail.flags ?? [])])
  }
  return { address, mailbox, write, follow, flags }
}

const subjects = (received: readonly Received[]) =>
  received.map(({ body }) => (body.kind === 'message' ? body.mail?.subject : null))

describeWithMailServers('a mailbox', (servers) => {
  test('mails from now on are taken as soon as they come, marked as seen once they were, and stand at their place', async () => {
    const { follow, write, flags } = box(servers())
    await write('before')
    await expect.poll(flags, { timeout: 10_000 }).toHaveLength(1)
    const seen: Received[] = []
    const { places, leave } = follow(null, async (received) => void seen.push(...received))
    await expect.poll(() => places.length, { timeout: 10_000 }).toBe(1)
    const began = Date.now()
    await write('now')
    await expect.poll(() => subjects(seen), { timeout: 10_000 }).toEqual(['now'])
    expect(Date.now() - began).toBeLessThan(8_000)
    await expect.poll(() => places.length).toBe(2)
    expect(seen[0]).toMatchObject({
      platform_id: places[1]?.replace(/:(\d+)$/, (_, next) => `:${Number(next) - 1}`),
      body: { sender: { id: 'ada@example.org' }, mail: { authenticated: true } },
    })
    expect(await flags()).toEqual([[], ['\\Seen']].map((each) => expect.arrayContaining(each)))
    await leave()
    // What came while no process followed it.
    await write('later')
    const { leave: leaveAgain } = follow(places[1] ?? null, async (received) => void seen.push(...received))
    await expect.poll(() => subjects(seen), { timeout: 10_000 }).toEqual(['now', 'later'])
    await leaveAgain()
  })

  test('a mail that could not be kept stays unread and comes again', async () => {
    const { follow, write, flags } = box(servers())
    const first = follow(null, async () => {
      throw new Error('No commit')
    })
    await expect.poll(() => first.places.length, { timeout: 10_000 }).toBe(1)
    await write('kept late')
    await expect(first.done).rejects.toThrow()
    expect((await flags()).flat()).not.toContain('\\Seen')
    const seen: Received[] = []
    follow(first.places[0] ?? null, async (received) => void seen.push(...received))
    await expect.poll(() => subjects(seen), { timeout: 10_000 }).toEqual(['kept late'])
  })

  test('a token in the address finds its way through the mailbox', async () => {
    const { follow, write, address } = box(servers())
    const seen: Received[] = []
    const { places } = follow(null, async (received) => void seen.push(...received))
    await expect.poll(() => places.length, { timeout: 10_000 }).toBe(1)
    await write('reply', address.replace('@', `+${'a'.repeat(32)}@`))
    await expect.poll(() => subjects(seen), { timeout: 10_000 }).toEqual(['reply'])
    expect(seen[0]?.body).toMatchObject({ mail: { token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  })

  test('a wrong password is refused, and an address that may not be reached as well', async () => {
    const { mailbox } = box(servers())
    const way = { send: async () => undefined }
    const open = (more: Partial<typeof mailbox>) =>
      mailChannel({
        ...{ address: { local: 'a', domain: 'boxes.example.net' }, name: 'a', way, authserv_id: 'mx' },
        mailbox: { ...mailbox, ...more },
      })
    const signal = AbortSignal.timeout(10_000)
    await expect(open({}).identify(signal)).resolves.toMatchObject({ user_id: 'a@boxes.example.net' })
    await expect(open({ password: 'wrong' }).identify(signal)).rejects.toMatchObject({
      reason: 'credential_refused',
    })
    const refused = async () => {
      throw Object.assign(new Error('x is at an address that is not public'), { name: 'RefusedTarget' })
    }
    const error = await open({ addresses: refused })
      .identify(signal)
      .catch((one: unknown) => one)
    expect(error).toBeInstanceOf(ChannelRefused)
    expect(error).toMatchObject({ reason: 'private_address' })
    expect(await open({ port: 1 }).check(signal)).toMatchObject([{ ok: true }, { ok: true }, { ok: false }])
  })
})
