import { createHash, randomUUID } from 'node:crypto'
import { channelFiles } from '@svc/db/channels'
import { beforeEach, expect, test } from 'vitest'
import { deliverPrompts, promptSession } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession, runningSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { ctx } = project
beforeEach(() => {
  world.queue.drop()
  Object.assign(world.daemon, { prompt_status: 202, file_status: 200 })
  world.daemon.prompts.splice(0)
  world.daemon.files.splice(0)
})

const digest = (content: string) => createHash('sha256').update(content).digest()

/** A message with files that was given to a prompt; the id of its delivery. */
async function message(session_id: string, prompt_key: string, files: readonly string[]): Promise<string> {
  const [channel_id, delivery_id, now] = [randomUUID(), randomUUID(), world.clock.now()]
  const { project_id, account_id, owner } = project
  const times = { created_at: now, updated_at: now }
  await world.db
    .insertInto('project_channels')
    .values({
      ...{ channel_id, account_id, project_id, slug: channel_id, name: 'Slack', platform: 'chat_a' },
      ...{
        status: 'connected',
        transport: 'events',
        policy: 'owner_only',
        thread_replies: 'all',
        agent: null,
      },
      ...{
        conversations: '{}',
        settings: '{}',
        sealed_data_key: 'k',
        sealed_credentials: 'c',
        identity: null,
      },
      ...{ cursor: null, held_until: null, blocked_until: null, last_error: null, last_received_at: null },
      ...{ disconnected_reason: null, created_by: owner.user_id, ...times },
    })
    .execute()
  await world.db
    .insertInto('channel_deliveries')
    .values({
      ...{ delivery_id, channel_id, account_id, project_id, platform_id: delivery_id, message_key: null },
      ...{
        received_at: now,
        kind: 'message',
        thread_key: 't',
        sender: 'U1',
        body: null,
        verdict: 'accepted',
      },
      ...{ reason: null, thread_id: null, prompt_id: null, link_id: null, retry_at: null, judged_at: now },
    })
    .execute()
  for (const [position, name] of files.entries())
    await channelFiles.insert(world.db, {
      ...{
        file_id: randomUUID(),
        channel_id,
        account_id,
        project_id,
        delivery_id,
        message_id: null,
        position,
      },
      ...{ name, type: 'text/plain', bytes: name.length, sha256: digest(name), content: Buffer.from(name) },
      ...{ left_out: null, session_id, prompt_key, upload: null, created_at: now },
    })
  return delivery_id
}

const asked = (text: string, { key }: Awaited<ReturnType<typeof newSession>>) =>
  promptSession(ctx, { ...key, text, idempotency_key: 'a-key' })

test('the files of a prompt are in the sandbox before it is, and a daemon that died gets all of them again', async () => {
  const session = await runningSession(world, project)
  const { prompt_id } = await asked('look', session)
  const row = await world.db
    .selectFrom('session_prompts')
    .select('dedupe_key')
    .where('prompt_id', '=', prompt_id)
    .executeTakeFirstOrThrow()
  const of = await message(session.session_id, row.dedupe_key ?? '', ['a.txt', 'b.txt'])
  await message(session.session_id, 'channel:other', ['c.txt'])

  world.daemon.file_status = 503
  await expect(deliverPrompts(world.worker(), session.key)).rejects.toThrow('503 to a file')
  expect(world.daemon.prompts).toEqual([])
  world.daemon.file_status = 200
  // It takes the files, and is gone before it takes the prompt.
  world.daemon.prompt_status = 503
  await expect(deliverPrompts(world.worker(), session.key)).rejects.toThrow('503 to a prompt')
  world.daemon.prompt_status = 202
  await deliverPrompts(world.worker(), session.key)
  const sent = (name: string) => ({
    query: { message: of, name, sha256: digest(name).toString('hex') },
    ...{ content: name, before: 0 },
  })
  expect(world.daemon.files).toEqual([sent('a.txt'), sent('b.txt'), sent('a.txt'), sent('b.txt')])
  expect(world.daemon.prompts.map(({ text }) => text)).toEqual(['look'])
})

test.each([
  [409, 'no room'],
  [404, 'this sandbox takes none; restart the session for one that does'],
])('a sandbox that answers %i to a file gets the prompt, which says so', async (status, why) => {
  const session = await runningSession(world, project)
  const { prompt_id } = await asked('look', session)
  const { dedupe_key } = await world.db
    .selectFrom('session_prompts')
    .select('dedupe_key')
    .where('prompt_id', '=', prompt_id)
    .executeTakeFirstOrThrow()
  await message(session.session_id, dedupe_key ?? '', ['a.txt'])
  world.daemon.file_status = status
  await deliverPrompts(world.worker(), session.key)
  expect(world.daemon.prompts.map(({ text }) => text)).toEqual([
    `look\n\nThese files are not in the workspace after all:\n- a.txt: ${why}`,
  ])
})

test('a first prompt with files comes once they are in the sandbox, and one whose files are gone says so', async () => {
  const session = await newSession(world, project, { initial_prompt: 'begin' })
  await world.db
    .updateTable('project_sessions')
    .set({ origin: 'channel' })
    .where('session_id', '=', session.session_id)
    .execute()
  await message(session.session_id, 'initial', ['a.txt', 'b.txt'])
  await world.db.updateTable('channel_files').set({ content: null }).where('name', '=', 'b.txt').execute()
  await world.queue.drain()
  expect(await session.environment()).not.toHaveProperty('SVC_INITIAL_PROMPT')
  expect(world.daemon.files.map(({ content, before }) => [content, before])).toEqual([['a.txt', 0]])
  expect(world.daemon.prompts.map(({ text }) => text)).toEqual([
    'begin\n\nThese files are not in the workspace after all:\n- b.txt: it is no longer kept',
  ])
})
