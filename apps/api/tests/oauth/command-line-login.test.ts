import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tokenPrefix } from '@svc/access'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildCli, type Running } from '../../../cli/tests/support/built-cli.ts'
import { Browser } from '../support/browser.ts'
import { type OAuthPlatform, oauthPlatform } from '../support/oauth.ts'
import { pick } from '../support/platform.ts'

const cli = await buildCli()
let platform: OAuthPlatform
const running = new Set<Running>()

beforeAll(async () => {
  platform = await oauthPlatform()
})
afterEach(async () => {
  for (const { child } of running) child.kill()
  await Promise.all([...running].map(({ result }) => result))
  running.clear()
})
afterAll(() => platform.close())

/** A command that waits for a person; `said` is what it wrote to stderr until the pattern was there. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const command = cli.start(args, { env })
  running.add(command)
  let text = ''
  command.child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const said = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(text)?.[1]
      if (found !== undefined) return found
      const more = await Promise.race([
        once(command.child.stderr ?? command.child, 'data').then(() => true),
        command.result.then(() => false),
      ])
      if (!more) throw new Error(`It ended without ${pattern.source}: ${text}`)
    }
  }
  return { said, result: command.result }
}

/** Signs in with the owner's token and answers the question. */
async function answer(
  browser: Browser,
  page: Awaited<ReturnType<Browser['open']>>,
  step: 'approve' | 'deny',
) {
  const consent = await browser.submit(page, { step: 'token', token: platform.owner.token })
  return browser.submit(consent, { step })
}

const config = async (): Promise<unknown> => JSON.parse(await readFile(cli.config_file, 'utf8'))
const stored = async (name: string) => pick(await config(), `hosts.work.${name}`)
const loginArgs = (...more: string[]) => ['login', '--host', 'work', '--api', platform.origin, ...more]
const greeting = () => `Logged in to work (${platform.origin}/v1) as owner@svc.invalid (Owner)\n`
// A program that opens nothing: the test is the browser.
const desktop = { BROWSER: 'true' }

async function logIn(step: 'approve' | 'deny' = 'approve') {
  const command = start(loginArgs(), desktop)
  const url = await command.said(/(http:\S+\/authorize\?\S+)/)
  const browser = new Browser(platform.origin)
  const landed = await answer(browser, await browser.open(url), step)
  return { landed, command, shown: await fetch(landed.url) }
}

/** Has the stored token look as if it had ended. */
async function age(): Promise<void> {
  const text = await readFile(cli.config_file, 'utf8')
  await writeFile(
    cli.config_file,
    text.replace(/"expires_at": "[^"]+"/, '"expires_at": "2020-01-01T00:00:00Z"'),
  )
}

describe('svc login', () => {
  test('waits for the browser of this machine, and keeps what it got for its owner alone', async () => {
    const { command, shown } = await logIn()
    expect(await shown.text()).toContain('You can close this page')
    const { code, stdout, stderr } = await command.result
    expect(stdout).toBe(greeting())
    expect(code).toBe(0)
    const [token, refresh] = [await stored('token'), await stored('login.refresh_token')]
    expect([tokenPrefix(token), tokenPrefix(refresh)]).toEqual(['svc_oat_', 'svc_ort_'])
    for (const secret of [token, refresh]) expect(stdout + stderr).not.toContain(secret)
    expect((await stat(cli.config_file)).mode & 0o777).toBe(0o600)
    expect(await cli.run(['whoami'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('owner@svc.invalid'),
    })
  })

  test('fails when the person says no', async () => {
    const { command } = await logIn('deny')
    expect(await command.result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was not allowed'),
    })
  })

  test('takes no answer but that to its own question', async () => {
    const command = start(loginArgs(), desktop)
    const url = new URL(await command.said(/(http:\S+\/authorize\?\S+)/))
    const callback = url.searchParams.get('redirect_uri') ?? ''
    expect((await fetch(`${callback}?code=x&state=guessed`)).status).toBe(404)
    expect((await fetch(`${callback}?error=access_denied`)).status).toBe(404)
    const browser = new Browser(platform.origin)
    await fetch((await answer(browser, await browser.open(url.href), 'approve')).url)
    expect(await command.result).toMatchObject({ code: 0 })
  })

  test('shows a code and polls: when asked to, over SSH, and where no browser opens', async () => {
    const ways = [
      { name: 'asked', args: ['--device'], env: desktop },
      { name: 'ssh', args: [], env: { ...desktop, SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' } },
      { name: 'nothing', args: [], env: { BROWSER: '/nowhere/browser' } },
    ]
    await Promise.all(
      ways.map(async ({ name, args, env }) => {
        const file = join(cli.folder, `${name}.json`)
        const command = start(loginArgs(...args), { ...env, SVC_CONFIG_FILE: file })
        const address = await command.said(/Open (\S+) in a browser/)
        const user_code = await command.said(/type the code (\S+)/)
        const browser = new Browser(platform.origin)
        const confirm = await browser.submit(await browser.open(address), { user_code })
        const done = await answer(browser, await browser.submit(confirm, { confirm: 'yes' }), 'approve')
        expect(done.text).toContain('Your device is signed in')
        const { code, stdout, stderr } = await command.result
        expect([code, stdout]).toEqual([0, greeting()])
        const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
        expect(stdout + stderr).not.toContain(pick(kept, 'hosts.work.token'))
      }),
    )
  })
})

describe('what a login left', () => {
  beforeAll(async () => {
    const { command } = await logIn()
    expect(await command.result).toMatchObject({ code: 0 })
  })

  test('is renewed by itself, once, however many commands run', async () => {
    const before = [await stored('token'), await stored('login.refresh_token')]
    await age()
    const results = await Promise.all([1, 2, 3, 4].map(() => cli.run(['whoami'])))
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(results.map(() => [0, '']))
    const after = [await stored('token'), await stored('login.refresh_token')]
    expect(after).not.toEqual(before)
    // A refresh token that was used twice would have ended the login.
    await age()
    expect(await cli.run(['whoami'])).toMatchObject({ code: 0 })
    expect((await stat(cli.config_file)).mode & 0o777).toBe(0o600)
  })

  test('is renewed before git is given it', async () => {
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: cli.work,
      })
    await git('init', '--quiet', '--initial-branch', 'main')
    await git('commit', '--quiet', '--allow-empty', '--message', 'Begin')
    const ended = await stored('token')
    await age()
    await writeFile(
      cli.config_file,
      (await readFile(cli.config_file, 'utf8')).replace(ended, `${ended.slice(0, -4)}gone`),
    )
    expect(await cli.run(['ship'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Shipped') })
  })

  test('yields to a lock that nobody holds any more', async () => {
    await age()
    await writeFile(`${cli.config_file}.lock`, '')
    const waiting = cli.start(['whoami'])
    await utimes(`${cli.config_file}.lock`, new Date(0), new Date(0))
    expect(await waiting.result).toMatchObject({ code: 0 })
    await expect(stat(`${cli.config_file}.lock`)).rejects.toThrow('ENOENT')
  })

  test('ends at the platform with svc logout', async () => {
    const token = await stored('token')
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${platform.origin}/v1/accounts/me`, { headers })).status).toBe(200)
    expect(await cli.run(['logout'])).toEqual({ code: 0, stdout: 'Logged out of work\n', stderr: '' })
    expect((await fetch(`${platform.origin}/v1/accounts/me`, { headers })).status).toBe(401)
    expect(await config()).toMatchObject({ hosts: { work: { token: null } } })
    expect(JSON.stringify(await config())).not.toContain('svc_ort_')
  })

  test('that ended elsewhere says how to begin again', async () => {
    const { command } = await logIn()
    await command.result
    await platform.database.db.deleteFrom('oauth_artefacts').execute()
    await age()
    expect(await cli.run(['whoami'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('svc login --host work'),
    })
  })
})
