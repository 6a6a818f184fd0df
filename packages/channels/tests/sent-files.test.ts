import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { listChannelMessages, sendChannelMessage } from '../src/index.ts'
import { sendMessages } from '../src/worker/index.ts'
import { answerTurn, openStage, type Stage } from './support.ts'

const world = await openWorld({ session_cap: 500 })

async function thread(stage: Stage) {
  const ada = await stage.linked('Ada', stage.project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  const [row] = await world.db
    .selectFrom('channel_threads')
    .selectAll()
    .where('channel_id', '=', stage.channel_id)
    .execute()
  if (row === undefined) throw new Error('There is no thread')
  const owner = stage.asPerson(stage.project.owner)
  const to = { project_id: stage.project.project_id, slug: 'svc_chat_a' }
  const files = (): (string | undefined)[][] =>
    stage.slack
      .posts(stage.general, root)
      .flatMap((post) => post.files ?? [])
      .map(({ id, name }) => [
        name,
        Buffer.from(stage.slack.workspace.files.get(id)?.content ?? []).toString(),
      ])
  const wait = async (...ms: number[]) => {
    for (const one of ms) {
      world.clock.advance(one)
      await sendMessages(stage.worker, stage.channel_id)
    }
  }
  return { root, row, owner, to, files, wait, thread_id: row.thread_id }
}

const named = (name: string, content = name) => ({ name, type: 'text/plain', content: Buffer.from(content) })

test('files go out behind their text, once for a key, and are listed with their sizes', async () => {
  const stage = await openStage(world)
  const { owner, to, files, thread_id } = await thread(stage)
  const message = { ...to, thread_id, text: 'two files', idempotency_key: 'k' }
  const sent = [named('a b.txt', 'one'), named('a b.txt', 'two')]
  const first = await sendChannelMessage(owner, { ...message, files: sent })
  expect((await sendChannelMessage(owner, { ...message, files: sent })).message_id).toBe(first.message_id)
  await stage.run()
  await stage.run()
  expect(files()).toEqual([
    ['a_b.txt', 'one'],
    ['a_b-2.txt', 'two'],
  ])
  const { messages } = await listChannelMessages(owner, { ...to, limit: 10 })
  const listed = messages.filter(({ kind }) => kind === 'file').map((one) => [one.state, one.files])
  const facts = { type: 'text/plain', bytes: 3, left_out: null }
  expect(listed.reverse()).toEqual([
    ['sent', [{ name: 'a_b.txt', ...facts }]],
    ['sent', [{ name: 'a_b-2.txt', ...facts }]],
  ])
})

test('one arrives once, whatever is lost, limited or broken on its way', async () => {
  const stage = await openStage(world)
  const { owner, to, files, wait, thread_id } = await thread(stage)
  const send = (name: string) =>
    sendChannelMessage(owner, { ...to, thread_id, text: name, files: [named(name)] })
  await send('plain.txt')
  await wait(0)
  // The answers to the text and to the file.
  stage.slack.loseAnswers(2)
  await send('lost.txt')
  await wait(0, 2_000, 6_000, 2_000, 6_000, 6_000)
  await send('limited.txt')
  stage.slack.limit(1, 30)
  await wait(0)
  expect(files().map(([name]) => name)).toEqual(['plain.txt', 'lost.txt'])
  stage.slack.break(1)
  await wait(31_000, 2_000, 6_000, 6_000)
  expect(files().map(([name]) => name)).toEqual(['plain.txt', 'lost.txt', 'limited.txt'])
})

test('those that are too many, too large or empty are refused', async () => {
  const stage = await openStage(world)
  const { owner, to, thread_id } = await thread(stage)
  const send = (files: ReturnType<typeof named>[]) =>
    sendChannelMessage(owner, { ...to, thread_id, text: 'x', files })
  const bytes = (name: string, size: number) => ({ ...named(name), content: Buffer.alloc(size) })
  const mib = 1024 * 1024
  await expect(send(Array.from({ length: 11 }, () => named('a')))).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await expect(send([bytes('empty', 0)])).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(send([bytes('large', 20 * mib + 1)])).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(send([1, 2, 3].map((n) => bytes(`${n}`, 17 * mib)))).rejects.toMatchObject({
    code: 'payload_too_large',
  })
})

test('an answer that is too long comes with its beginning, and whole as a file', async () => {
  const stage = await openStage(world)
  const { root, files, row } = await thread(stage)
  const session_id = row.session_id ?? ''
  const [prompt] = await stage.prompts(session_id)
  const { prompt_id = '' } = prompt ?? {}
  const text = `${'word '.repeat(3_000)}end`
  await answerTurn(stage, { session_id, prompt_id }, text)
  for (let n = 0; n < 3; n += 1) await stage.run()
  const answer = stage.said(root).find((one) => one.text.startsWith('word'))
  expect(answer?.text.length).toBeLessThan(12_500)
  expect(JSON.stringify(answer?.blocks)).toContain('answer.md')
  expect(files()).toEqual([['answer.md', text]])
})
