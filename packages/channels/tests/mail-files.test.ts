import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { listChannelDeliveries, sendChannelMessage } from '../src/index.ts'
import { openMailStage } from './mail-support.ts'

const world = await openWorld({ session_cap: 500 })

const keptFiles = (channel_id: string) =>
  world.db
    .selectFrom('channel_files')
    .select(['name', 'type', 'content', 'left_out', 'prompt_key', 'delivery_id'])
    .where('channel_id', '=', channel_id)
    .where('delivery_id', 'is not', null)
    .orderBy('position')
    .execute()

const file = (filename: string, content: string | Buffer, contentType = 'text/plain') => ({
  ...{ filename, content, contentType },
})

test('files of a mail are kept with it, once, and are named to the agent by their places', async () => {
  const stage = await openMailStage(world)
  await stage.link(stage.project.owner)
  const attachments = [
    file('notes.txt', 'blue'),
    file('notes.txt', 'green'),
    file('../x y.png', 'p', 'image/png'),
  ]
  const id = await stage.deliver({ subject: 'The shop', text: 'See these', attachments })
  // The mail server was not answered, and hands it over again.
  await stage.deliver({ subject: 'The shop', text: 'See these', attachments, id })
  await stage.run()
  const [session] = await stage.sessionsHere()
  const [prompt] = await stage.prompts(session?.session_id ?? '')
  const files = await keptFiles(stage.channel_id)
  expect(files.map(({ name, content }) => [name, content?.toString()])).toEqual([
    ['notes.txt', 'blue'],
    ['notes-2.txt', 'green'],
    ['x_y.png', 'p'],
  ])
  for (const { name, delivery_id, prompt_key } of files) {
    expect(prompt?.text).toContain(`.svc/inbox/${delivery_id}/${name}`)
    expect(prompt_key).not.toBeNull()
  }
})

test('of more files than a message may have, the first are kept and the others are named', async () => {
  const stage = await openMailStage(world)
  await stage.link(stage.project.owner)
  const attachments = Array.from({ length: 12 }, (_, n) => file(`${n}.txt`, `${n}`))
  await stage.deliver({ text: 'Many', attachments })
  await stage.run()
  const files = await keptFiles(stage.channel_id)
  expect(files.map(({ left_out }) => left_out === null)).toEqual([...Array(10).fill(true), false, false])
  const [session] = await stage.sessionsHere()
  const [prompt] = await stage.prompts(session?.session_id ?? '')
  expect(prompt?.text).toContain('a message has at most 10 files')
})

test('of a mail that no server vouches for, and of an absence notice, no file is kept', async () => {
  const stage = await openMailStage(world)
  await stage.link(stage.project.owner)
  const attachments = [file('a.txt', 'a')]
  await stage.deliver({ text: 'forged', attachments, proven: false })
  await stage.deliver({ text: 'away', attachments, headers: { 'Auto-Submitted': 'auto-replied' } })
  await stage.run()
  expect((await stage.verdicts()).slice(-2)).toEqual([
    ['refused', 'unauthenticated'],
    ['ignored', 'automatic'],
  ])
  expect((await keptFiles(stage.channel_id)).filter(({ content }) => content !== null)).toEqual([])
})

test('files go out as attachments of a mail in the thread', async () => {
  const stage = await openMailStage(world)
  await stage.link(stage.project.owner)
  await stage.deliver({ subject: 'The shop', text: 'Begin' })
  await stage.run()
  const [thread] = await stage.threads()
  const owner = stage.asPerson(stage.project.owner)
  const { project_id } = stage.project
  await sendChannelMessage(owner, {
    ...{ project_id, slug: 'svc_email', thread_id: thread?.thread_id ?? '', text: 'The plan' },
    files: [{ name: 'plan.md', type: 'text/markdown', content: Buffer.from('# Blue') }],
  })
  await stage.run()
  const sent = stage.sink.mails.flatMap(({ subject, attachments }) =>
    attachments.map(({ filename, contentType, content }) => [subject, filename, contentType, `${content}`]),
  )
  expect(sent).toEqual([['Re: The shop', 'plan.md', 'text/markdown', '# Blue']])
  const { deliveries } = await listChannelDeliveries(owner, { project_id, slug: 'svc_email', limit: 10 })
  expect(deliveries.at(-1)?.files).toEqual([])
})
