import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MintedToken, Project } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { skipsChromium, startChromium, type Watched, watchedPage } from '../../api/tests/support/chromium.ts'
import { bash, commitAndPush, script, type Step, write } from './support/sessions/agent.ts'
import { git } from './support/clients/git.ts'
import { piProject } from './support/sessions/pi-project.ts'
import { type Platform, startPlatform } from './support/platform/platform.ts'

const question = (text: string): Step => ({
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

describe.skipIf(skipsChromium)('the dashboard in a browser', () => {
  let platform: Platform
  let project: Project
  let browser: Awaited<ReturnType<typeof startChromium>>
  let watched: Watched
  let minted: MintedToken
  let session_id = ''
  let at = (path: string) => path

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([
      // One place, so that a second session has to wait for the first.
      startPlatform({ SVC_SESSION_CAP: '1' }),
      startChromium(),
    ])
    ;[project, watched, minted] = await Promise.all([
      piProject(platform.client, platform.token, 'Pages'),
      watchedPage(browser),
      platform.client.tokens.create({ name: 'dashboard' }),
    ])
    await platform.client.projects.triggers.create(project.project_id, {
      slug: 'by-hand',
      type: 'cron',
      cron: '0 0 9 1 1 *',
      prompt: '{{ message.text }}',
      agent: 'helper',
    })
    at = (path) => `${platform.origin}/dashboard/projects/${project.project_id}${path}`
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  test('the first page leads to it, and every address of it asks who is there', async () => {
    const { page } = watched
    await page.goto(platform.origin)
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(at('/triggers'))
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Access token').fill('svc_pat_that_nobody_minted')
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByText('This token is wrong').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/request \S+/)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('a token leads to where somebody wanted to go, and stays after a reload', async () => {
    const { page } = watched
    await page.getByLabel('Access token').fill(minted.token)
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByRole('heading', { name: 'by-hand' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'by-hand' }).waitFor()
    expect(page.url()).toBe(at('/triggers'))
    expect(page.url() + (await page.evaluate('document.cookie'))).not.toContain(minted.token)
  })

  test('a trigger is switched off in the manifest, and fires by hand all the same', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    expect(await platform.client.projects.triggers.get(project.project_id, 'by-hand')).toMatchObject({
      enabled: false,
    })
    const steps = [
      write('hello.txt', 'from the dashboard\n'),
      commitAndPush('Add a greeting'),
      bash('svc cr open --title Greeting'),
    ]
    await page.getByLabel('Message').fill(script(...steps))
    await page.getByRole('button', { name: 'Fire now' }).click()
    await page.getByRole('link', { name: 'see its session' }).click()
    await page.getByRole('heading', { name: 'Session' }).waitFor()
    // The output of the last tool, which is folded away.
    await page.getByRole('log').getByText('Opened #').first().waitFor({ state: 'attached' })
    const opened = await platform.client.projects.sessions.list(project.project_id)
    expect(opened.items).toHaveLength(1)
    expect(page.url()).toBe(at(`/sessions/${opened.items[0]?.session_id}`))
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByRole('region', { name: 'Sessions' }).getByText('trigger').waitFor()
  })

  test('what an agent opened is read, refused when the base has moved, and merged as it is shown', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'Change requests' }).click()
    await page.getByRole('link', { name: 'Greeting' }).click()
    await page.getByText('It merges cleanly: the base moves forward').waitFor()
    await page.getByLabel('Changes of hello.txt').getByText('+from the dashboard').waitFor()
    const moved = await tip()
    await platform.client.projects.triggers.update(project.project_id, 'by-hand', { name: 'Moves the base' })
    await page.getByRole('button', { name: 'Merge' }).click()
    const refusal = page.getByRole('alert')
    await refusal.getByText(/request \S+/).waitFor()
    expect(await tip()).not.toBe(moved)
    const before = await tip()
    await page.getByRole('button', { name: 'as it is now' }).click()
    await page.getByText('a merge commit joins').waitFor()
    expect(await refusal.count()).toBe(0)
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('Merged:').waitFor()
    const after = await tip()
    expect(after).not.toBe(before)
    expect(await page.getByText('Merged:').innerText()).toContain(after)
    const { content } = await platform.client.projects.files.read(project.project_id, { path: 'hello.txt' })
    expect(content).toContain('from the dashboard')
  })

  test('one that conflicts cannot be merged there, and is closed', async () => {
    const { page } = watched
    await push('clash', 'hello.txt', 'another greeting\n')
    const { changeRequests } = platform.client.projects
    const cr = await changeRequests.create(project.project_id, { title: 'Clash', head_ref: 'clash' })
    await page.goto(at('/change-requests'))
    await page.getByRole('link', { name: 'Clash' }).click()
    await page.getByText('It conflicts with the base').waitFor()
    await page.getByRole('listitem').getByText('hello.txt').waitFor()
    expect(await page.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Closed. The branch').waitFor()
    expect(await changeRequests.get(project.project_id, cr.cr_id)).toMatchObject({ status: 'closed' })
    await page.getByRole('link', { name: 'Change requests' }).click()
    await page.getByLabel('Status').selectOption('closed')
    await page.getByRole('link', { name: 'Clash' }).waitFor()
  })

  test('a session is begun with a prompt; at the cap another one waits, and is withdrawn', async () => {
    const { page } = watched
    const { sessions } = platform.client.projects
    const [fired] = (await sessions.list(project.project_id)).items
    await sessions.stop(project.project_id, fired?.session_id ?? '')
    await page.goto(at('/sessions'))
    await page.getByText('New session').click()
    await page.getByLabel('Agent').selectOption('helper (default)')
    await page.getByLabel('First prompt').fill(script(question('Which colour?'), question('Which size?')))
    await page.getByRole('button', { name: 'Start a session' }).click()
    await page.getByRole('heading', { name: /^Session / }).waitFor()
    const address = page.url()
    session_id = address.split('/').at(-1) ?? ''
    await asked().getByText('Which colour?').waitFor()
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await page.getByText('New session').click()
    await page.getByRole('button', { name: 'Start a session' }).click()
    await page.getByText('the account runs as many sessions as it may').waitFor()
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await page.getByText('the account runs as many sessions as it may').waitFor({ state: 'detached' })
    await page.goto(address)
  })

  test('prompts wait behind a question; one is withdrawn, and the question is answered in its place', async () => {
    const { page } = watched
    const { asks } = platform.client.projects.sessions
    await asked().getByText('Which colour?').waitFor()
    const hello = script({ say: 'Hello there' })
    for (const text of [hello, 'never mind']) {
      await prompt().fill(text)
      await prompt().press('Control+Enter')
      await waiting().getByText(text).waitFor()
      await expect.poll(() => prompt().inputValue(), { timeout: 60_000 }).toBe('')
    }
    await page.getByRole('button', { name: 'Withdraw never mind' }).click()
    await waiting().getByText('never mind').waitFor({ state: 'detached' })
    expect(await stateOf('never mind')).toEqual(['cancelled'])
    await asked().getByRole('radio', { name: 'Blue' }).check()
    await asked().getByRole('button', { name: 'Answer', exact: true }).click()
    await asked().getByText('Which size?').waitFor()
    const [second] = await asks.list(project.project_id, session_id)
    await asks.answer(project.project_id, session_id, second?.request_id ?? '', { answers: [['Red']] })
    const elsewhere = page.getByText('“Which size?” It was answered elsewhere')
    await elsewhere.waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await elsewhere.waitFor({ state: 'detached' })
    await page.getByRole('log').getByText('"Which colour?": Blue').waitFor({ state: 'attached' })
    await said('Hello there').waitFor()
    await waiting().waitFor({ state: 'detached' })
  })

  test('a prompt whose answer was lost is kept, and sent once by sending it again; a turn is ended', async () => {
    const { page } = watched
    const once = script({ say: 'Once only' })
    await page.route(
      '**/prompts',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await prompt().fill(once)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
    expect(await prompt().inputValue()).toBe(once)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => prompt().inputValue(), { timeout: 60_000 }).toBe('')
    expect(await page.getByRole('alert').count()).toBe(0)
    await said('Once only').waitFor()
    expect(await stateOf(once)).toHaveLength(1)

    const long = script(bash('sleep 600'))
    await prompt().fill(long)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('bash').last().waitFor()
    await page.getByRole('button', { name: 'End this turn' }).click()
    await page.getByText('The agent works on a prompt').waitFor({ state: 'detached' })
    expect(await stateOf(long)).toEqual(['failed'])
  })

  test('it is stopped and started, with what its state allows and says', async () => {
    const { page } = watched
    const state = page.getByRole('region', { name: 'State' })
    await state.getByRole('button', { name: 'Stop' }).click()
    await state.getByText('A person stopped it').waitFor()
    expect(await state.getByRole('button').allInnerTexts()).toEqual(['Start', 'Restart'])
    await state.getByRole('button', { name: 'Start', exact: true }).click()
    await state.getByText('Its agent takes prompts').waitFor()
    await page.getByLabel('Port').fill('4000')
    await page.getByText(`svc sessions preview ${session_id.slice(0, 8)} 4000 --open`).waitFor()
    await said('Once only').waitFor()
    await platform.client.projects.sessions.stop(project.project_id, session_id)
    await state.getByRole('button', { name: 'Start', exact: true }).waitFor()
  })

  test('signing out forgets the token, and a revoked one is told', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Use a token instead').click()
    await page.getByLabel('Access token').fill(minted.token)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByRole('link', { name: 'Triggers' }).waitFor()
    // The one page that does not ask again by itself, which would be the first to meet the revoked token.
    await page.getByRole('link', { name: 'svc', exact: true }).click()
    const inside = page.getByRole('link', { name: 'Pages', exact: true })
    await inside.waitFor()
    await platform.client.tokens.revoke(minted.token_id)
    await inside.click()
    await page.getByText('your token was revoked or has ended').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  describe('a person', () => {
    const email = 'owner@svc.invalid'
    const password = 'correct horse battery'
    let held = ''

    /** Changes some of the state that the tab keeps. */
    const keep = (changes: object) =>
      watched.page.evaluate(
        `sessionStorage.setItem('svc.credential', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('svc.credential')), ...${JSON.stringify(changes)} }))`,
      )
    const kept = async (): Promise<Record<string, unknown>> =>
      Object(JSON.parse(await watched.page.evaluate(`sessionStorage.getItem('svc.credential') ?? '{}'`)))
    const exchanges = () => watched.requests.filter((url) => url.endsWith('/v1/oauth/token')).length
    const statusOf = async (token: unknown) => {
      const headers = { authorization: `Bearer ${String(token)}` }
      return (await fetch(`${platform.origin}/v1/projects`, { headers })).status
    }

    test.each([
      ['that nobody asked for', '', 'did not begin'],
      [
        'to another question',
        `{"state":"mine","verifier":"v","return_to":"//evil.example"}`,
        'not the answer',
      ],
    ])('is not signed in by an answer %s', async (_, asked, says) => {
      const { page } = watched
      const before = exchanges()
      if (asked !== '') await page.evaluate(`sessionStorage.setItem('svc.asked', ${JSON.stringify(asked)})`)
      await page.goto(
        `${platform.origin}/dashboard/signed-in?${before}#code=stolen&state=theirs&iss=${platform.origin}`,
      )
      await page.getByRole('alert').getByText(says).waitFor()
      expect(page.url()).toBe(`${platform.origin}/dashboard/`)
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
      expect(exchanges()).toBe(before)
    })

    test('signs in with a password on the pages of the platform, and is where they meant to go', async () => {
      const { page } = watched
      await platform.client.auth.changePassword({ password })
      const referers: string[] = []
      page.on('request', (request) => referers.push(request.headers()['referer'] ?? ''))
      await page.goto(at('/triggers'))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('To go on to the dashboard').waitFor()
      expect(new URL(page.url()).pathname).toMatch(/^\/v1\/oauth\/interaction\//)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'by-hand' }).waitFor()
      expect(page.url()).toBe(at('/triggers'))
      held = String((await kept()).access_token)
      expect(held).toMatch(/^svc_oat_/)
      expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}')
      // Neither the question nor the answer leaves in an address.
      expect(referers.filter((address) => /[?#]/.test(address))).toEqual([])
      expect(watched.requests.filter((url) => /[?&]code=|svc_o[ar]t_/.test(url))).toEqual([])
    })

    test('is renewed before the end, and once for all that is refused at once', async () => {
      const { page } = watched
      const before = exchanges()
      await keep({ expires_at: Date.now() + 30_000 })
      await page.reload()
      await page.getByRole('heading', { name: 'by-hand' }).waitFor()
      expect(exchanges()).toBe(before + 1)
      const renewed = String((await kept()).access_token)
      expect(renewed).not.toBe(held)
      await keep({ access_token: held.slice(0, -1) })
      await page.reload()
      await page.getByRole('heading', { name: 'by-hand' }).waitFor()
      await page.getByRole('link', { name: 'Change requests' }).click()
      await page.getByRole('link', { name: 'Triggers' }).waitFor()
      expect(exchanges()).toBe(before + 2)
    })

    test('has a sign-in for each tab: a copy of a tab takes nothing of it', async () => {
      const { page } = watched
      const [copy] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate(`void window.open(${JSON.stringify(at('/triggers'))})`),
      ])
      await copy.getByRole('button', { name: 'Sign in' }).click()
      // The browser is known still: no password again, and no question.
      await copy.getByRole('heading', { name: 'by-hand' }).waitFor({ timeout: 60_000 })
      await copy.close()
      expect(await statusOf((await kept()).access_token)).toBe(200)
    })

    test('signs out, and what the tab held is refused', async () => {
      const { page } = watched
      const { access_token } = await kept()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await page.evaluate('sessionStorage.length')).toBe(0)
      expect(await statusOf(access_token)).toBe(401)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Password').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('You did not sign in').waitFor()
    })

    test('who has just started it signs in with the link that it prints, once', async () => {
      const { page } = watched
      const link = /Dashboard +(\S+)/.exec(platform.child.stdout)?.[1] ?? ''
      const open = async () => {
        await page.goto('about:blank')
        await page.goto(link)
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      await open()
      await page.getByRole('heading', { name: 'Projects' }).waitFor()
      expect(page.url()).toBe(`${platform.origin}/dashboard/`)
      const { access_token } = await kept()
      expect(await statusOf(access_token)).toBe(200)
      await keep({ expires_at: Date.now() + 30_000 })
      await page.reload()
      await page.getByRole('heading', { name: 'Projects' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(await statusOf(access_token)).toBe(401)
      await open()
      await page.getByRole('alert').getByText('was used or is over').waitFor()
      await page.getByRole('button', { name: 'another way' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    })
  })

  test('no request left the origin, and nothing complained but of what was refused', () => {
    expect(watched.requests.filter((url) => !url.startsWith(`${platform.origin}/`))).toEqual([])
    expect(watched.requests.filter((url) => url.includes(minted.token))).toEqual([])
    // Beside the refusals, a session that waited and an answer that was lost: the requests that the page gave up when
    // the person went elsewhere, such as an event stream.
    const expected = /status of (401|404|409)|net::ERR_ABORTED$|prompts net::ERR_FAILED$|: net::ERR_FAILED$/
    expect(watched.complaints.filter((text) => text.endsWith('prompts net::ERR_FAILED'))).toHaveLength(1)
    expect(watched.complaints.filter((text) => !expected.test(text))).toEqual([])
    expect(watched.complaints.filter((text) => /status of 409 .*\/merge$/.test(text))).toHaveLength(1)
  })

  const asked = () => watched.page.getByRole('region', { name: 'The agent asks' }).last()
  const waiting = () => watched.page.getByRole('region', { name: 'Waiting prompts' })
  const prompt = () => watched.page.getByLabel('Prompt', { exact: true })
  const said = (text: string) => watched.page.locator('.assistant').getByText(text)

  /** The states of the prompts with this text. */
  async function stateOf(text: string): Promise<string[]> {
    const { prompts } = platform.client.projects.sessions
    const { items } = await prompts.list(project.project_id, session_id, { limit: 200 })
    return items.filter((one) => one.text === text).map(({ state }) => state)
  }

  /** A branch with one file, from where the default branch began. */
  async function push(branch: string, file: string, content: string): Promise<void> {
    const clone = join(platform.place.root, branch)
    const { token } = platform
    await git(['clone', '-q', project.repo_url, clone], { token })
    const [first = ''] = (await git(['rev-list', '--max-parents=0', 'HEAD'], { cwd: clone })).split('\n')
    await git(['checkout', '-q', '-b', branch, first], { cwd: clone })
    await writeFile(join(clone, file), content)
    await git(['add', '-A'], { cwd: clone })
    await git(['commit', '-q', '-m', 'Greet in another way'], { cwd: clone })
    await git(['push', '-q', 'origin', branch], { cwd: clone, token })
  }

  /** The tip of the default branch by git itself. */
  async function tip(): Promise<string> {
    const text = await git(['ls-remote', project.repo_url, 'refs/heads/main'], { token: platform.token })
    return text.split('\t')[0] ?? ''
  }
})
