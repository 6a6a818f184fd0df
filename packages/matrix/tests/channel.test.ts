import { ChannelRefused, MessageRefused, RateLimited } from '@svc/channel'
import { expect, test } from 'vitest'
import { matrixChannel } from '../src/index.ts'
import { type SeenEvent, threadOf } from './person.ts'
import { channelOf, fresh, named, never, wireOf, words, world } from './support.ts'
import { describeWithSynapse } from './synapse.ts'

const buttons = [
  { id: 'merge', label: 'Merge', style: 'primary' as const },
  { id: 'page', label: 'Look at it', url: 'https://x.example/' },
]
const keyOf = ({ content }: SeenEvent) => Object(content['m.relates_to']).key
const isThere = ({ content }: SeenEvent) => Object.keys(content).length > 0

describeWithSynapse('a channel', (server) => {
  test('the bot says who it is, and the checks name what is wrong', async () => {
    const bot = await server().register(fresh('bot'), 'Helper')
    const channel = channelOf(server(), bot)
    const tenant = server().server_name
    const identity = { tenant, tenant_name: tenant, user_id: bot.user_id, name: 'Helper' }
    expect(await channel.identify(never)).toEqual(identity)
    expect(await channel.check(never)).toMatchObject([
      { name: 'address', ok: true },
      { name: 'credential', ok: true },
    ])
    const other = matrixChannel({ access_token: 'other', homeserver_url: server().url, wire: wireOf() })
    expect(await other.check(never)).toMatchObject([{ ok: true }, { name: 'credential', ok: false }])
    const closed = channelOf(server(), bot, wireOf([]))
    expect(await closed.check(never)).toMatchObject([{ name: 'address', ok: false, message: /not public/ }])
    await expect(closed.identify(never)).rejects.toMatchObject({ reason: 'private_address' })
  })

  test('a token that was revoked is refused', async () => {
    const { bot, channel, room } = await world(server())
    await bot.call('POST', 'v3/logout', {})
    const post = channel.begin(room, words('x'), named('m1'), never)
    await expect(post).rejects.toMatchObject({ name: 'ChannelRefused', reason: 'credential_refused' })
    await expect(channel.identify(never)).rejects.toBeInstanceOf(ChannelRefused)
  })

  test('a message goes to its thread, once for its name, with its buttons as reactions', async () => {
    const { ada, bot, channel, room } = await world(server())
    const root = await ada.say(room, 'hello')
    const post = () =>
      channel.post({ conversation: room, root }, words('**Done**', { buttons }), named('m1'), never)
    const ref = await post()
    expect(await post()).toBe(ref)
    const messages = await ada.timeline(room)
    expect(messages.map(({ event_id }) => event_id)).toEqual([root, ref])
    expect(messages[1]).toMatchObject({
      sender: bot.user_id,
      content: {
        msgtype: 'm.text',
        'm.mentions': {},
        ...threadOf(root),
        'dev.svc.message': {
          message_id: 'm1',
          revision: 1,
          buttons: [{ id: 'merge', key: '✅' }],
          input: false,
        },
      },
    })
    expect(messages[1]?.content['formatted_body']).toContain('<strong>Done</strong>')
    expect((await ada.timeline(room, 'm.reaction')).map(keyOf)).toEqual(['✅'])
  })

  test('an edit takes its place, and its reactions are those of the buttons that it has then', async () => {
    const { ada, channel, room } = await world(server())
    const ref = await channel.begin(room, words('Merge?', { buttons }), named('m1'), never)
    const place = { conversation: room, root: ref }
    const stop = [{ id: 'stop', label: 'Stop', style: 'danger' as const }]
    for (const _ of [1, 2])
      await channel.edit(place, ref, words('Working', { buttons: stop }), named('m1', 2), never)
    const reactions = async () => (await ada.timeline(room, 'm.reaction')).filter(isThere).map(keyOf)
    expect(await reactions()).toEqual(['🛑'])
    await channel.edit(place, ref, words('Gone'), named('m1', 3), never)
    expect(await reactions()).toEqual([])
    expect(await channel.history({ conversation: room, root: ref }, '$later', 9, never)).toMatchObject([
      { ref, text: 'Gone', is_bot: true },
    ])
    expect(await ada.timeline(room)).toHaveLength(3)
  })

  test('a later revision of a message whose answer was lost becomes that message', async () => {
    const { ada, channel, room } = await world(server())
    const ref = await channel.begin(room, words('First'), named('m1', 1), never)
    expect(await channel.begin(room, words('Second'), named('m1', 2), never)).toBe(ref)
    const lines = await channel.history({ conversation: room, root: ref }, '$later', 9, never)
    expect(lines.map(({ text }) => text)).toEqual(['Second'])
    expect(await ada.timeline(room)).toHaveLength(2)
  })

  test('one person is spoken to in a direct room, which is made once', async () => {
    const { ada, channel, room } = await world(server())
    const person = { id: ada.user_id, tenant: server().server_name, display: 'Ada' }
    const place = { conversation: room, root: '$root' }
    const link = [{ id: 'open', label: 'Link yourself', url: 'https://x.example/link' }]
    await channel.whisper(place, person, words('Who are you?', { buttons: link }), named('w1'), never)
    await channel.whisper(place, person, words('Not you.'), named('w2'), never)
    const [direct = '', ...more] = await ada.invites()
    expect(more).toEqual([])
    await ada.join(direct)
    const said = (await ada.timeline(direct)).map(({ content }) => content['body'])
    expect(said).toEqual(['Who are you?\n\nLink yourself: https://x.example/link', 'Not you.'])
    await ada.call('POST', `v3/rooms/${encodeURIComponent(direct)}/leave`, {})
    await channel.whisper(place, person, words('Again'), named('w3'), never)
    expect(await ada.invites()).toHaveLength(1)
  })

  test('the thread before a message is read, the newest lines, oldest first', async () => {
    const { ada, bob, channel, room } = await world(server())
    const root = await ada.say(room, 'one')
    await bob.say(room, 'two', threadOf(root))
    await ada.say(room, 'beside')
    const three = await ada.say(room, 'three', threadOf(root))
    await channel.post({ conversation: room, root }, words('Answer'), named('m1'), never)
    const before = await ada.say(room, 'now', threadOf(root))
    await ada.say(room, 'later', threadOf(root))
    const lines = await channel.history({ conversation: room, root }, before, 2, never)
    expect(lines.map(({ text, is_bot }) => [text, is_bot])).toEqual([
      ['three', false],
      ['Answer', true],
    ])
    const tenant = server().server_name
    expect(lines[0]).toMatchObject({ ref: three, sender: { id: ada.user_id, tenant, display: ada.user_id } })
    const all = await channel.history({ conversation: room, root }, before, 9, never)
    expect(all.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'Answer'])
    expect(await channel.history({ conversation: room, root }, root, 9, never)).toEqual([])
  })

  test('names are those of profiles and rooms, or the ids', async () => {
    const { ada, channel, room } = await world(server())
    const nameless = await ada.createRoom({ preset: 'public_chat' })
    expect(await channel.nameOf({ user: ada.user_id }, never)).toBe('Ada')
    expect(await channel.nameOf({ user: '@none:matrix.test' }, never)).toBe('@none:matrix.test')
    expect(await channel.nameOf({ conversation: room }, never)).toBe('general')
    expect(await channel.nameOf({ conversation: nameless }, never)).toBe(nameless)
  })

  test('a file is downloaded, up to so many bytes', async () => {
    const { ada, channel } = await world(server())
    const url = await ada.upload(Buffer.from('hello'), 'text/plain')
    const file = { name: 'a.txt', type: 'text/plain', bytes: 5, url }
    expect(Buffer.from(await channel.download(file, 5, never)).toString()).toBe('hello')
    await expect(channel.download(file, 4, never)).rejects.toThrow(
      new MessageRefused('a.txt is larger than 4 bytes'),
    )
    const gone = { ...file, url: `mxc://${server().server_name}/none` }
    await expect(channel.download(gone, 5, never)).rejects.toBeInstanceOf(MessageRefused)
    const away = channel.download({ ...file, url: 'https://x.example/a' }, 5, never)
    await expect(away).rejects.toBeInstanceOf(MessageRefused)
  })

  test('a file is handed over, and shown in its thread once for its name', async () => {
    const { ada, bot, channel, room } = await world(server())
    const root = await ada.say(room, 'hello')
    const content = Buffer.from([0, 1, 255, 10])
    const file = { name: 'data.bin', type: 'application/octet-stream', content }
    const upload = (await channel.upload?.(file, never)) ?? ''
    expect(upload).toMatch(/^mxc:/)
    expect(await ada.timeline(room)).toHaveLength(1)
    const place = { conversation: room, root }
    const post = () => channel.postFile(place, { ...file, upload }, named('f1'), never)
    const ref = await post()
    expect(await post()).toBe(ref)
    const [, shown, ...more] = await ada.timeline(room)
    expect(more).toEqual([])
    expect(shown).toMatchObject({
      ...{ event_id: ref, sender: bot.user_id },
      content: {
        ...{ msgtype: 'm.file', body: 'data.bin', url: upload, ...threadOf(root) },
        info: { size: 4, mimetype: 'application/octet-stream' },
      },
    })
    expect(Buffer.from(await channel.download({ ...file, bytes: 4, url: upload }, 4, never))).toEqual(content)
  })

  test('a room that the bot is not in refuses its message, and a limit asks to wait', async () => {
    const { ada, bot, channel, room } = await world(server())
    const other = await ada.createRoom({ preset: 'private_chat' })
    const refused = channel.begin(other, words('x'), named('m1'), never)
    await expect(refused).rejects.toMatchObject({ name: 'MessageRefused', message: /M_FORBIDDEN/ })
    await server().limit(bot.user_id, 1)
    const posts = ['a', 'b', 'c', 'd'].map((id) => channel.begin(room, words(id), named(id), never))
    const errors = (await Promise.allSettled(posts)).flatMap((post) =>
      post.status === 'rejected' ? [post.reason] : [],
    )
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors) {
      expect(error).toBeInstanceOf(RateLimited)
      expect(error.retry_after_ms).toBeGreaterThanOrEqual(1_000)
    }
  })

  test('a call ends with its signal, and a homeserver that is none is to be tried again', async () => {
    const { channel } = await world(server())
    await expect(channel.identify(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    const homeserver_url = `${server().url}/none`
    const none = matrixChannel({ access_token: 'x', homeserver_url, wire: wireOf() })
    await expect(none.identify(never)).rejects.toMatchObject({ name: 'Error', message: /none of Matrix/ })
    const smtp = matrixChannel({ access_token: 'x', homeserver_url: 'http://127.0.0.1:25', wire: wireOf() })
    await expect(smtp.identify(never)).rejects.toMatchObject({ reason: 'unreachable' })
    const file = matrixChannel({ access_token: 'x', homeserver_url: 'file:///etc', wire: wireOf() })
    await expect(file.identify(never)).rejects.toMatchObject({ reason: 'unreachable' })
  })
})
