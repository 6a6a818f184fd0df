import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { linkChannelSender } from '../src/index.ts'
import { openWorld } from '@svc/services/testing'
import { afterAll, expect, test } from 'vitest'
import type { FakeFile, FakeUser } from '../../slack/tests/fake-slack/index.ts'
import { forgetChannels } from '../src/worker/index.ts'
import { openStage, type Stage } from './support.ts'

const world = await openWorld({ session_cap: 500 })
const mib = 1024 * 1024
const types = 'text/plain'

const file = ({ slack }: Stage, name: string, content: string | Uint8Array = name): FakeFile =>
  slack.file(name, types, Buffer.from(content))

/** A person names the bot in a message with files. */
function send(stage: Stage, user: FakeUser, files: readonly FakeFile[], text = 'look', thread_ts?: string) {
  const { slack, general: conversation } = stage
  const said = { conversation, user, text: `<@${slack.bot.user_id}> ${text}`, files }
  return slack.say(thread_ts === undefined ? said : { ...said, thread_ts })
}

async function lastDelivery(stage: Stage) {
  const last = (await stage.deliveries()).at(-1)
  if (last === undefined) throw new Error('Nothing came in')
  const files = await world.db
    .selectFrom('channel_files')
    .selectAll()
    .where('delivery_id', '=', last.delivery_id)
    .orderBy('position')
    .execute()
  return { ...last, files }
}

async function lastPrompt(stage: Stage): Promise<string> {
  const { prompt_id } = await lastDelivery(stage)
  const prompt = await world.db
    .selectFrom('session_prompts')
    .select('text')
    .where('prompt_id', '=', prompt_id ?? '')
    .executeTakeFirst()
  return prompt?.text ?? ''
}

const notices = (stage: Stage, root: string) =>
  stage.said(root).flatMap(({ text }) => (text.startsWith('I go on without') ? [text] : []))

test('files come with the message that begins a session and with those after it, each given to its own prompt', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = send(stage, ada, [file(stage, 'a b.txt', 'one'), file(stage, 'a b.txt', 'two')])
  await stage.run()
  const first = await lastDelivery(stage)
  expect(first.verdict).toBe('accepted')
  expect(first.files).toMatchObject([
    { name: 'a_b.txt', type: types, bytes: 3, left_out: null, prompt_key: 'initial' },
    { name: 'a_b-2.txt', type: types, bytes: 3, left_out: null, prompt_key: 'initial' },
  ])
  expect(first.files.map(({ content }) => content?.toString())).toEqual(['one', 'two'])
  for (const { content, sha256 } of first.files)
    expect(sha256).toEqual(
      createHash('sha256')
        .update(content ?? '')
        .digest(),
    )
  const [session] = await stage.sessionsHere()
  expect(new Set(first.files.map(({ session_id }) => session_id))).toEqual(new Set([session?.session_id]))
  const prompt = await lastPrompt(stage)
  expect(prompt).toContain(`.svc/inbox/${first.delivery_id}/a_b.txt (text/plain, 3 bytes)`)
  expect(prompt).toContain(`.svc/inbox/${first.delivery_id}/a_b-2.txt (text/plain, 3 bytes)`)

  send(stage, ada, [file(stage, 'later.md')], '', root)
  await stage.run()
  const second = await lastDelivery(stage)
  expect(second.files).toMatchObject([
    { name: 'later.md', prompt_key: `channel:${second.delivery_id}`, session_id: session?.session_id },
  ])
  expect(await lastPrompt(stage)).toContain(`.svc/inbox/${second.delivery_id}/later.md`)
  expect(notices(stage, root)).toEqual([])
})

test('those that are too many, too large or not to be had are left out by name, and the rest of the message counts', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const large = { ...file(stage, 'large.bin'), size: 20 * mib + 1 }
  // It says that it is small.
  const liar = { ...file(stage, 'liar.bin', Buffer.alloc(20 * mib + 1)), size: 5 }
  const gone = {
    ...file(stage, 'gone.txt'),
    url_private_download: `${stage.slack.api_url}../files-pri/T1-F404/x`,
  }
  const many = Array.from({ length: 9 }, (_, index) => file(stage, `${index + 1}.txt`))
  const root = send(stage, ada, [large, liar, gone, ...many])
  await stage.run()
  const { files, verdict } = await lastDelivery(stage)
  expect(verdict).toBe('accepted')
  expect(files.flatMap(({ left_out, name }) => (left_out === null ? [name] : []))).toEqual(
    many.slice(0, 7).map(({ name }) => name),
  )
  const reasons = {
    'large.bin': 'it is larger than 20 MiB',
    'liar.bin': 'liar.bin is larger than 20971520 bytes',
    'gone.txt': 'Slack does not give gone.txt to the bot; does its token have files:read?',
    '8.txt': 'a message has at most 10 files',
    '9.txt': 'a message has at most 10 files',
  }
  const left_out = Object.fromEntries(
    files.flatMap((one) => (one.left_out ? [[one.name, one.left_out]] : [])),
  )
  expect(left_out).toEqual(reasons)
  const prompt = await lastPrompt(stage)
  for (const [name, why] of Object.entries(reasons)) expect(prompt).toContain(`${name}: ${why}`)
  const [notice, ...more] = notices(stage, root)
  expect(more).toEqual([])
  for (const name of Object.keys(reasons)) expect(notice).toContain(name)
})

test('the files of a message have a bound together', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const sizes = [18, 18, 18, 2]
  send(
    stage,
    ada,
    sizes.map((size, index) => file(stage, `${index}.bin`, Buffer.alloc(size * mib))),
  )
  await stage.run()
  const { files } = await lastDelivery(stage)
  expect(files.map(({ left_out }) => left_out)).toEqual([
    null,
    null,
    'the files of a message have at most 50 MiB together',
    null,
  ])
})

test('a file on a host that is not of the platform is never asked for, with the token or without', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const asked: unknown[] = []
  const other = createServer((request, response) => {
    asked.push(request.headers)
    response.end('stolen')
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  afterAll(() => new Promise((done) => other.close(done)))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/files-pri/x`
  send(stage, ada, [{ ...file(stage, 'x.txt'), url_private: url, url_private_download: url }])
  await stage.run()
  expect(asked).toEqual([])
  const { files, verdict } = await lastDelivery(stage)
  expect(verdict).toBe('accepted')
  expect(files[0]?.left_out).toMatch(/is no host of Slack/)
})

test('one that the platform does not give for a while is asked for again, and at last left out', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  stage.slack.limit(1, 20)
  send(stage, ada, [file(stage, 'a.txt')])
  await stage.slack.settled()
  await stage.run()
  expect(await lastDelivery(stage)).toMatchObject({ verdict: 'pending', attempts: 0, files: [] })
  world.clock.advance(21_000)
  stage.slack.break(1)
  await stage.run()
  expect(await lastDelivery(stage)).toMatchObject({ verdict: 'pending', attempts: 1, files: [] })
  world.clock.advance(61_000)
  await stage.run()
  expect(await lastDelivery(stage)).toMatchObject({ verdict: 'accepted', files: [{ left_out: null }] })

  const root = send(stage, ada, [file(stage, 'b.txt')])
  await stage.slack.settled()
  for (let n = 0; n < 8; n += 1) {
    stage.slack.break(1)
    await stage.run()
    world.clock.advance(61_000)
  }
  await stage.run()
  const { verdict, files } = await lastDelivery(stage)
  expect(verdict).toBe('accepted')
  expect(files).toMatchObject([{ left_out: 'the platform did not give it, however often it was asked' }])
  expect(notices(stage, root)).toHaveLength(1)
})

test('nothing is fetched for a sender who is not linked, until they are', async () => {
  const stage = await openStage(world)
  const ada = stage.slack.workspace.addUser('Ada')
  const sent = file(stage, 'a.txt', 'mine')
  send(stage, ada, [sent])
  await stage.run()
  expect(await lastDelivery(stage)).toMatchObject({ verdict: 'held', files: [] })
  expect(stage.slack.downloads).toEqual([])
  await linkChannelSender(stage.asPerson(stage.project.owner), { token: stage.tokenOf(ada) })
  await stage.run()
  const { verdict, files } = await lastDelivery(stage)
  expect(verdict).toBe('accepted')
  expect(files.map(({ content }) => content?.toString())).toEqual(['mine'])
  expect(stage.slack.downloads).toEqual([sent.id])
})

test('a text that is too long is a file, whole', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  const text = `${'word '.repeat(9_000)}end`
  send(stage, ada, [file(stage, 'message.txt', 'theirs')], text)
  await stage.run()
  const { files } = await lastDelivery(stage)
  expect(files.map(({ name, content }) => [name, content?.toString()])).toEqual([
    ['message.txt', text],
    ['message-2.txt', 'theirs'],
  ])
  const prompt = await lastPrompt(stage)
  expect(prompt).toContain('The whole text is the file message.txt.')
  expect(prompt.length).toBeLessThan(42_000)
})

test('contents are kept for seven days, and names as long as the words of the message', async () => {
  const stage = await openStage(world)
  const ada = await stage.linked('Ada', stage.project.owner)
  send(stage, ada, [file(stage, 'a.txt', 'abc')])
  await stage.run()
  const days = (count: number) => world.clock.advance(count * 86_400_000)
  days(6)
  await forgetChannels(stage.worker)
  expect((await lastDelivery(stage)).files[0]?.content?.toString()).toBe('abc')
  days(2)
  await forgetChannels(stage.worker)
  expect((await lastDelivery(stage)).files).toMatchObject([{ name: 'a.txt', bytes: 3, content: null }])
  days(23)
  await forgetChannels(stage.worker)
  expect((await lastDelivery(stage)).files).toEqual([])
})
