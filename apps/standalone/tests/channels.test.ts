import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeSlack } from '../../../packages/slack/tests/fake-slack/index.ts'
import { threadOf } from '../../../packages/matrix/tests/person.ts'
import { describeWithSynapse } from '../../../packages/matrix/tests/synapse.ts'
import { svc } from './support/clients/svc.ts'
import { bash, script } from './support/sessions/agent.ts'
import { grantedProject } from './support/sessions/pi-project.ts'
import { type Platform, startPlatform } from './support/platform/platform.ts'
import { waitFor } from './support/wait-for.ts'

const tokens = { bot_token: 'xoxb-1', signing_secret: randomBytes(16).toString('hex') }
const job = 'Add a file NOTES.md that says what this repository is for.'

let platform: Platform
beforeAll(async () => {
  platform = await startPlatform({ SVC_OUTBOUND_ADDRESSES: '127.0.0.0/8' })
})
afterAll(() => platform?.stop())

/** The agent reads the file that came along, and sends another one back into its thread. */
const echo = (slug: string) =>
  script(
    bash(
      'tr a-z A-Z < .svc/inbox/*/note.txt > /tmp/shout.txt && git status --porcelain | grep inbox; cat /tmp/shout.txt',
    ),
    bash(`svc channels send ${slug} --text 'Here it is' --file /tmp/shout.txt`),
    { say: 'I sent it.' },
  )
/** Words as Slack sends them on, whose signs for links and people are its own. */
const asWritten = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const note = Buffer.from('a word from a file')
const shout = 'A WORD FROM A FILE'

const newProject = (name: string) => grantedProject(platform.client, platform.token, name)

/** Links the sender to the person of the command line, as that person would. */
async function link(token: string): Promise<void> {
  const linked = await svc(platform, ['channels', 'link', token, '--yes'])
  expect(linked, linked.stderr).toMatchObject({ code: 0 })
}

const notesOf = (project_id: string) =>
  platform.client.projects.files.read(project_id, { path: 'NOTES.md', ref: 'main' }).catch(() => null)

test('a thread in Slack starts a session, shows its answer and its change request, and merges it by a button', async ({
  task,
}) => {
  const slack = await startFakeSlack(tokens)
  try {
    // Who an earlier try linked is linked for good.
    for (let tries = task.result?.retryCount ?? 0; tries > 0; tries -= 1) slack.workspace.addUser('Before')
    const { project_id } = await newProject('Slack')
    const channel = await platform.client.projects.channels.connect(project_id, {
      ...{ platform: 'chat_a', credentials: tokens, settings: { api_url: slack.api_url } },
    })
    await slack.register(channel.receive_url ?? '')
    const general = slack.workspace.addConversation('general')
    const ada = slack.workspace.addUser('Ada')
    const root = slack.say({ conversation: general, user: ada, text: `<@${slack.bot.user_id}> ${job}` })
    const token = await waitFor('a link was offered', () => {
      const offered = slack.workspace.ephemerals.findLast(({ user }) => user === ada.id)
      return /#token=([\w-]+)/.exec(JSON.stringify(offered?.blocks ?? []))?.[1]
    })
    expect((await svc(platform, ['sessions', 'ls'], { project_id })).stdout).not.toContain('running')
    await link(token)

    const posts = () => slack.posts(general, root).filter(({ bot_id }) => bot_id !== undefined)
    const post = (words: string) => posts().find(({ blocks }) => JSON.stringify(blocks).includes(words))
    await waitFor('the turn has ended', () => posts().some(({ text }) => text.startsWith('Done in')))
    await waitFor('the answer is there', () => posts().find(({ text }) => text.includes('NOTES.md')))
    const card = await waitFor('the change request is a card', () => post('Change request #1'))
    expect(await slack.press(general, card.ts, { user: ada, button: 'Merge' })).toBe(200)
    await waitFor('the card says who merged it', () => post('Merged by'))
    expect(await notesOf(project_id)).not.toBeNull()
    const listed = await svc(platform, ['channels', 'threads', 'svc_chat_a'], { project_id })
    expect(listed.stdout).toContain('Ada')

    const text = `<@${slack.bot.user_id}> ${asWritten(echo('svc_chat_a'))}`
    const files = [slack.file('note.txt', 'text/plain', note)]
    const asked = slack.say({ conversation: general, user: ada, text, files })
    const shown = (ts: string, name: string) =>
      slack
        .posts(general, ts)
        .filter(({ bot_id }) => bot_id !== undefined)
        .flatMap((message) => message.files ?? [])
        .find((file) => file.name === name)
    const contentOf = (id: string) => Buffer.from(slack.workspace.files.get(id)?.content ?? []).toString()
    const back = await waitFor('the file of the agent is there', () => shown(asked, 'shout.txt'))
    expect(contentOf(back.id)).toBe(shout)

    const long = 'word '.repeat(4_000)
    const wanted = `<@${slack.bot.user_id}> ${script({ say: long })}`
    slack.say({ conversation: general, user: ada, text: wanted, thread_ts: asked })
    const whole = await waitFor('the whole answer is a file', () => shown(asked, 'answer.md'))
    expect(contentOf(whole.id).trim()).toBe(`[scripted demo model] ${long}`.trim())

    const path = join(platform.place.root, 'from person.txt')
    await writeFile(path, 'by hand')
    const words = ['--to', general.id, '--text', 'A file of mine', '--file', path]
    const sent = await svc(platform, ['channels', 'send', 'svc_chat_a', ...words], { project_id })
    expect(sent, sent.stderr).toMatchObject({ code: 0 })
    const mine = () => general.messages.flatMap((message) => message.files ?? [])
    const arrived = await waitFor('the file of the person is there', () =>
      mine().find(({ name }) => name === 'from_person.txt'),
    )
    expect(contentOf(arrived.id)).toBe('by hand')
  } finally {
    await slack.close()
  }
})

describeWithSynapse('a thread in Matrix', (server) => {
  test('starts a session, shows its answer and its change request, and merges it by a reaction', async () => {
    const [bot, ada] = await Promise.all([
      server().register('bot', 'Helper'),
      server().register('ada', 'Ada'),
    ])
    const { project_id } = await newProject('Matrix')
    await platform.client.projects.channels.connect(project_id, {
      platform: 'chat_b',
      credentials: { access_token: bot.access_token },
      settings: { homeserver_url: server().url },
    })
    const room = await ada.createRoom({ name: 'general', invite: [bot.user_id] })
    await waitFor('the bot came', async () => {
      const { joined } = await ada.call('GET', `v3/rooms/${encodeURIComponent(room)}/joined_members`)
      return Object.keys(Object(joined)).includes(bot.user_id)
    })
    const root = await ada.say(room, `Helper: ${job}`, { 'm.mentions': { user_ids: [bot.user_id] } })
    const { channels } = platform.client.projects
    await waitFor('a link was offered', async () =>
      (await channels.messages(project_id, 'svc_chat_b', { state: 'sent' })).messages.some(
        ({ kind }) => kind === 'link',
      ),
    )
    // Synapse answers the first sync of a client with the same for two minutes: one look.
    const [direct = ''] = await ada.invites()
    await ada.join(direct)
    const [, token = ''] = /#token=([\w-]+)/.exec(JSON.stringify(await ada.timeline(direct))) ?? []
    expect(JSON.stringify(await channels.deliveries(project_id, 'svc_chat_b'))).not.toContain(token)
    await link(token)

    const posts = async () => (await ada.timeline(room)).filter(({ sender }) => sender === bot.user_id)
    const post = async (words: string) =>
      (await posts()).find(({ content }) => JSON.stringify(content).includes(words))
    await waitFor('the answer is there', () => post('NOTES.md'))
    const card = await waitFor('the change request is a card', () => post('Change request #1'))
    expect(card.content['m.relates_to']).toMatchObject(threadOf(root)['m.relates_to'])
    await ada.react(room, card.event_id, '✅')
    await waitFor('the card says who merged it', () => post('Merged by'))
    expect(await notesOf(project_id)).not.toBeNull()

    await ada.say(room, `Helper: ${echo('svc_chat_b')}`, {
      ...{ msgtype: 'm.file', filename: 'note.txt', url: await ada.upload(note, 'text/plain') },
      ...{ info: { mimetype: 'text/plain', size: note.length }, 'm.mentions': { user_ids: [bot.user_id] } },
    })
    const file = await waitFor('the file of the agent is there', async () =>
      (await posts()).find(({ content }) => content['filename'] === 'shout.txt'),
    )
    const address = String(file.content['url']).replace('mxc://', '')
    const content = await fetch(`${server().url}/_matrix/client/v1/media/download/${address}`, {
      headers: { authorization: `Bearer ${ada.access_token}` },
    })
    expect(await content.text()).toBe(shout)
  })
})
