import { expect, test } from 'vitest'
import { replyTo, threadOf } from './person.ts'
import { follow, fresh, named, never, words, world } from './support.ts'
import { describeWithSynapse } from './synapse.ts'

const card = words('Merge it?', {
  input: { label: 'Changes to ask for' },
  buttons: [
    { id: 'merge', label: 'Merge', style: 'primary' },
    { id: 'request_changes', label: 'Request changes', needs_text: true },
  ],
})

describeWithSynapse('a stream', (server) => {
  test('a mention becomes one message in a thread, from now on', async () => {
    const { ada, bot, room } = await world(server())
    await ada.say(room, 'Helper: early')
    const { received, until } = await follow(server(), bot)
    const root = await ada.say(room, 'Helper: do it', { 'm.mentions': { user_ids: [bot.user_id] } })
    const reply = await ada.say(room, 'and that', threadOf(root))
    await until(2)
    const tenant = server().server_name
    const sender = { id: ada.user_id, tenant, display: ada.user_id }
    const plain = { kind: 'message', conversation: room, root, sender, direct: false, skip: null }
    expect(received).toMatchObject([
      {
        ...{ platform_id: root, message_key: `${room}:${root}` },
        body: { ...plain, ref: root, text: 'do it', mentions_bot: true, names_other: false, files: [] },
      },
      { platform_id: reply, body: { ...plain, ref: reply, text: 'and that', mentions_bot: false } },
    ])
  })

  test('what was not taken comes again from the same place, and nothing is lost between', async () => {
    const { ada, bot, room } = await world(server())
    const first = await follow(server(), bot, {
      take: async () => {
        throw new Error('no commit')
      },
    })
    const [from = ''] = first.cursors
    const one = await ada.say(room, 'one')
    await expect(first.ended).rejects.toThrow('no commit')
    expect(first.cursors).toEqual([from])
    const two = await ada.say(room, 'two')

    const second = await follow(server(), bot, { cursor: from })
    await second.until(2)
    await expect.poll(() => second.cursors.length).toBeGreaterThan(0)
    await second.stop()
    const again = await follow(server(), bot, { cursor: from })
    await again.until(2)
    for (const { received } of [second, again])
      expect(received.map(({ platform_id }) => platform_id)).toEqual([one, two])
    const last = await follow(server(), bot, { cursor: second.cursors.at(-1) ?? null })
    await ada.say(room, 'three')
    await last.until(1)
  })

  test('a place that the homeserver does not know any more is given up, and the stream begins now', async () => {
    const { ada, bot, room } = await world(server())
    await ada.say(room, 'before')
    const stream = await follow(server(), bot, { cursor: 's-of-another-database' })
    await expect.poll(() => stream.cursors.length).toBeGreaterThan(0)
    const after = await ada.say(room, 'after')
    await stream.until(1)
    expect(stream.received.map(({ platform_id }) => platform_id)).toEqual([after])
  })

  test('a gap that is longer than an answer is filled, in order', async () => {
    const { ada, bot, room } = await world(server())
    await ada.say(room, 'before')
    const first = await follow(server(), bot)
    await first.stop()
    await Promise.all(Array.from({ length: 75 }, (_, n) => ada.say(room, `n ${n}`)))
    const [, ...said] = (await ada.timeline(room)).map(({ event_id }) => event_id)
    const second = await follow(server(), bot, { cursor: first.cursors.at(-1) ?? null })
    await second.until(75)
    expect(second.received.map(({ platform_id }) => platform_id)).toEqual(said)
  })

  test('an invitation is accepted, and what was said since it counts, but nothing from before', async () => {
    const { ada, bot } = await world(server())
    const { bodies, until } = await follow(server(), bot)
    const room = await ada.createRoom({ preset: 'private_chat', is_direct: true })
    await ada.say(room, 'before')
    await ada.call('POST', `v3/rooms/${encodeURIComponent(room)}/invite`, { user_id: bot.user_id })
    await ada.say(room, 'after')
    await until(2)
    const messages = bodies().filter(({ kind }) => kind === 'message')
    expect(messages).toMatchObject([{ text: 'after', direct: true, mentions_bot: false }])
    expect(bodies()).toContainEqual({ kind: 'membership', conversation: room, joined: true })
    const invitedFirst = await server().register(fresh('bot'), 'Helper')
    await ada.call('POST', `v3/rooms/${encodeURIComponent(room)}/invite`, { user_id: invitedFirst.user_id })
    await follow(server(), invitedFirst)
    await ada.call('POST', `v3/rooms/${encodeURIComponent(room)}/kick`, { user_id: bot.user_id })
    await expect.poll(bodies).toContainEqual({ kind: 'membership', conversation: room, joined: false })
  })

  test('a reaction presses a button, but none of the bot itself', async () => {
    const { ada, bob, bot, channel, room } = await world(server())
    const root = await ada.say(room, 'hello')
    const { received, until } = await follow(server(), bot)
    const place = { conversation: room, root }
    const ref = await channel.post(place, card, named('m1'), never)
    await ada.react(room, root, '✅')
    await ada.react(room, ref, '🎉')
    const press = await ada.react(room, ref, '✅')
    await until(2)
    expect(received).toMatchObject([
      { platform_id: ref, body: { kind: 'message', skip: 'bot' } },
      {
        ...{ platform_id: press, message_key: null },
        body: {
          ...{ kind: 'action', conversation: room, root, ref, message_id: 'm1', action: 'merge', text: null },
          sender: { id: ada.user_id },
        },
      },
    ])
    await channel.edit(place, ref, words('Merged'), named('m1', 2), never)
    await bob.react(room, ref, '✅')
    await until(3)
    expect(received[2]).toMatchObject({ body: { action: 'merge', sender: { id: bob.user_id } } })
  })

  test('a reply to a card that asks for a text is that text', async () => {
    const { ada, bot, channel, room } = await world(server())
    const root = await ada.say(room, 'hello')
    const place = { conversation: room, root }
    const ref = await channel.post(place, card, named('m1'), never)
    const { bodies, received, until } = await follow(server(), bot)
    await ada.react(room, ref, '✏️')
    const inThread = await ada.say(room, 'rename it', threadOf(root, ref))
    await ada.say(room, '> <@x:y> Merge it?\n\nand test it', replyTo(ref))
    await ada.say(room, 'no reply', threadOf(root))
    await until(3)
    const act = { kind: 'action', root, ref, message_id: 'm1', action: 'request_changes' }
    expect(bodies()).toMatchObject([
      { ...act, text: 'rename it' },
      { ...act, text: 'and test it' },
      { kind: 'message', text: 'no reply', root },
    ])
    expect(received[0]?.platform_id).toBe(inThread)
    await channel.edit(place, ref, words('Merged'), named('m1', 2), never)
    await ada.say(room, 'thanks', replyTo(ref))
    await until(4)
    expect(bodies()[3]).toMatchObject({ kind: 'message', text: 'thanks', root })
  })

  test('edits, notices, files and messages that are taken back', async () => {
    const { ada, bob, bot, room } = await world(server())
    const { bodies, until } = await follow(server(), bot)
    const ref = await ada.say(room, 'one')
    await ada.say(room, '* two', {
      'm.new_content': { msgtype: 'm.text', body: 'two' },
      'm.relates_to': { rel_type: 'm.replace', event_id: ref },
    })
    await bob.say(room, 'beep', { msgtype: 'm.notice' })
    const url = await ada.upload(Buffer.from('hello'), 'text/plain')
    await ada.say(room, 'a.txt', { msgtype: 'm.file', url, info: { mimetype: 'text/plain', size: 5 } })
    await until(4)
    await ada.redact(room, ref)
    await until(5)
    expect(bodies()).toMatchObject([
      { ref, text: 'one', skip: null },
      { ref, text: 'two', skip: 'edited' },
      { text: 'beep', skip: 'bot' },
      { text: '', files: [{ name: 'a.txt', type: 'text/plain', bytes: 5, url }] },
      { kind: 'deleted', conversation: room, ref },
    ])
  })

  test('an encrypted room is answered once, and not read', async () => {
    const { ada, bot, room } = await world(server())
    const { cursors, received, stop } = await follow(server(), bot)
    await ada.call('PUT', `v3/rooms/${encodeURIComponent(room)}/state/m.room.encryption/`, {
      algorithm: 'm.megolm.v1.aes-sha2',
    })
    const notices = async () => (await ada.timeline(room)).filter(({ sender }) => sender === bot.user_id)
    await expect.poll(async () => (await notices()).length).toBe(1)
    await stop()
    await ada.send(room, 'm.room.encrypted', { algorithm: 'm.megolm.v1.aes-sha2', ciphertext: 'x' })
    await ada.say(room, 'Helper: plain')
    const again = await follow(server(), bot, { cursor: cursors.at(-1) ?? null })
    await expect.poll(() => again.cursors.length).toBeGreaterThan(0)
    expect([...received, ...again.received]).toEqual([])
    expect(await notices()).toMatchObject([{ content: { msgtype: 'm.notice', body: /plain rooms only/ } }])
  })

  test('a token that was revoked ends it', async () => {
    const { bot } = await world(server())
    const { ended } = await follow(server(), bot)
    await bot.call('POST', 'v3/logout', {})
    await expect(ended).rejects.toMatchObject({ name: 'ChannelRefused', reason: 'credential_refused' })
  })
})
