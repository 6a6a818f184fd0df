import { createTransport, type Transporter } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSink } from '../../../packages/mail-channel/tests/sink.ts'
import { svc } from './support/clients/svc.ts'
import { freePorts } from '../../../scripts/free-port.ts'
import { type Platform, startPlatform } from './support/platform/platform.ts'
import { script } from './support/sessions/agent.ts'
import { waitFor } from './support/wait-for.ts'

const domain = 'agents.example.net'
const authserv = 'mx.example.net'

let platform: Platform
let sink: Awaited<ReturnType<typeof startSink>>
/** The mail server at the border. */
let border: Transporter
beforeAll(async () => {
  sink = await startSink()
  const [port = 0] = await freePorts(1)
  platform = await startPlatform({
    ...{ SVC_MAIL_URL: sink.url, SVC_CHANNEL_LMTP: `127.0.0.1:${port}` },
    ...{ SVC_CHANNEL_MAIL_DOMAIN: domain, SVC_CHANNEL_MAIL_AUTHSERV: authserv },
  })
  border = createTransport({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true })
})
afterAll(async () => {
  await platform?.stop()
  await sink?.close()
})

const question = (text: string) => ({
  tool: 'question',
  input: {
    questions: [
      {
        question: text,
        header: text,
        options: ['Blue', 'Red'].map((label) => ({ label, description: label })),
      },
    ],
  },
})

/** A mail of Ada, with the word of the mail server on her. */
const write = (to: string, subject: string, text: string) =>
  border.sendMail({
    ...{ from: 'Ada <ada@example.org>', to, subject, text },
    headers: { 'Authentication-Results': `${authserv}; dmarc=pass header.from=example.org` },
  })

const mail = (words: string) =>
  waitFor(`a mail says ${words}`, () => sink.mails.find(({ text }) => text?.includes(words)))

test('a mail starts a session, its answer comes in the thread, questions and change requests are mails with links, and a reply is the next prompt', async () => {
  const { client } = platform
  const { project_id } = await client.projects.provision({ name: 'Mail' })
  const { identity } = await client.projects.channels.connect(project_id, {
    ...{ platform: 'email', credentials: {}, settings: { local: 'shop' } },
  })
  expect(identity?.user_id).toBe(`shop@${domain}`)

  await write(`shop@${domain}`, 'A colour', script(question('Which colour?')))
  const offer = await mail('#token=')
  expect((await client.projects.sessions.list(project_id)).items).toEqual([])
  const [, token = ''] = /#token=([\w-]+)/.exec(offer.text ?? '') ?? []
  const linked = await svc(platform, ['channels', 'link', token, '--yes'])
  expect(linked, linked.stderr).toMatchObject({ code: 0 })

  // The question is a mail; its page takes the answer.
  const card = await mail('Which colour?')
  const [, page = ''] = /(http\S+\/projects\/\S+)/.exec(card.text ?? '') ?? []
  const [session] = (await client.projects.sessions.list(project_id)).items
  const session_id = session?.session_id ?? ''
  expect(page).toBe(`${platform.origin}/dashboard/projects/${project_id}/sessions/${session_id}`)
  expect((await fetch(page)).status).toBe(200)
  await answer(project_id, session_id)
  const said = await waitFor('the answer is there', () =>
    sink.mails.find(
      ({ text = '', replyTo }) => replyTo?.text.includes('+') && !text.includes('Which colour?'),
    ),
  )
  expect(said.subject).toBe('Re: A colour')

  const reply = said.replyTo?.value[0]?.address ?? ''
  await write(reply, 'Re: A colour', 'Add a file NOTES.md that says what this repository is for.')
  const request = await mail('Change request #1')
  expect(request.text).toContain(`/projects/${project_id}/change-requests/1`)
  expect((await client.projects.sessions.list(project_id)).items).toHaveLength(1)
  // Opening the link of a card acts in nothing.
  const [, link = ''] = /(http\S+\/change-requests\/1)/.exec(request.text ?? '') ?? []
  await fetch(link)
  const { changeRequests } = client.projects
  expect(await changeRequests.get(project_id, '1')).toMatchObject({ status: 'open' })
  await changeRequests.merge(project_id, '1')
  expect(await changeRequests.get(project_id, '1')).toMatchObject({ status: 'merged' })
  const names = sink.mails.map(({ messageId }) => messageId)
  expect(new Set(names).size).toBe(names.length)
})

async function answer(project_id: string, session_id: string): Promise<void> {
  const { sessions } = platform.client.projects
  const request_id = await waitFor('the question waits', async () => {
    const [one] = await sessions.asks.list(project_id, session_id)
    return one?.request_id
  })
  await sessions.asks.answer(project_id, session_id, request_id, { answers: [['Blue']] })
}
