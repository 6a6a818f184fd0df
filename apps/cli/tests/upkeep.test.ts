import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { project, projectId, session, sessionId } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const base = `/v1/projects/${projectId}`
const { cli, api } = await openWorld({
  [`GET ${base}`]: () => ok(project()),
  [`GET ${base}/sessions`]: () => ok([session()]),
})

describe('open', () => {
  const env = (more: Record<string, string> = {}) => ({
    SVC_CLI_TOKEN: 'svc_pat_a',
    SVC_API_URL: api.api_url,
    SVC_PROJECT_ID: projectId,
    SVC_DASHBOARD_URL: 'https://app.example/x/',
    ...more,
  })
  const page = `https://app.example/x/projects/${projectId}`

  it('prints the address where there is no browser', async () => {
    expect(await cli.run(['projects', 'open'], { env: env() })).toEqual({
      code: 0,
      stdout: `${page}\n`,
      stderr: 'No browser here: open the address above.\n',
    })
  })

  it('shows the page of a session with $BROWSER', async () => {
    const browser = join(cli.folder, 'browser')
    const seen = join(cli.folder, 'seen')
    await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > ${seen}\n`)
    await chmod(browser, 0o755)
    const stdout = `${page}/sessions/${sessionId}\n`
    const result = await cli.run(['sessions', 'open', 'abcd'], { env: env({ BROWSER: browser }) })
    expect(result).toEqual({ code: 0, stdout, stderr: '' })
    await expect.poll(() => readFile(seen, 'utf8').catch(() => '')).toBe(stdout.trim())
  })

  it.each([
    [{ SVC_DASHBOARD_URL: 'javascript:alert(1)' }, 2, 'not an http(s) URL'],
    [{ SVC_DASHBOARD_URL: '' }, 1, 'serves no dashboard'],
  ])('%j is refused', async (more, code, words) => {
    const result = await cli.run(['projects', 'open'], { env: env(more) })
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
  })

  it('leads to the one that the API serves', async () => {
    api.routes['GET /dashboard/'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
      return undefined
    }
    const { stdout } = await cli.run(['projects', 'open'], { env: env({ SVC_DASHBOARD_URL: '' }) })
    expect(stdout).toBe(`${api.origin}/dashboard/projects/${projectId}\n`)
  })
})

describe('uninstall', () => {
  const token = { api_url: 'http://127.0.0.1:9/v1', token: 'svc_pat_a' }
  const before = {
    active_host: 'work',
    hosts: { work: token, spare: { api_url: token.api_url, token: null } },
  }
  const left = async (...flags: string[]) => {
    await mkdir(join(cli.config_file, '..'), { recursive: true })
    await writeFile(cli.config_file, JSON.stringify(before))
    const { code } = await cli.run(['uninstall', ...flags])
    const config = await readFile(cli.config_file, 'utf8').catch(() => 'null')
    return { code, config: JSON.parse(config) }
  }

  it.each([
    [['--yes'], null],
    [['--yes', '--keep-home'], { ...before, hosts: { ...before.hosts, work: { ...token, token: null } } }],
    [['--yes', '--keep-auth'], { ...before, hosts: { work: token } }],
    [['--yes', '--keep-auth', '--keep-home'], before],
  ])('%j leaves what it says', async (flags, config) => {
    expect(await left(...flags)).toEqual({ code: 0, config })
  })

  it('asks first, so that a pipe needs --yes', async () => {
    expect(await left()).toEqual({ code: 2, config: before })
  })
})

describe('update', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, encoding: 'utf8' })

  it('moves the checkout to its upstream and builds it, and never merges', async () => {
    const [checkout, remote, other] = [cli.folder, join(cli.work, 'remote.git'), join(cli.work, 'other')]
    const manifest = '{ "name": "svc-platform", "type": "module" }'
    await mkdir(join(checkout, 'scripts'))
    await writeFile(join(checkout, 'package.json'), manifest)
    await writeFile(
      join(checkout, 'scripts/run-setup.mjs'),
      "import { writeFileSync } from 'node:fs'\nwriteFileSync('built', '')\n",
    )
    git(checkout, 'init', '--quiet', '--initial-branch=main')
    git(checkout, 'add', 'package.json', 'scripts')
    git(checkout, 'commit', '--quiet', '--message', 'First')
    expect(await cli.run(['update'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('follows no branch'),
    })
    git(checkout, 'clone', '--quiet', '--bare', '.', remote)
    git(checkout, 'remote', 'add', 'origin', remote)
    git(checkout, 'fetch', '--quiet')
    git(checkout, 'branch', '--quiet', '--set-upstream-to=origin/main')
    expect(await cli.run(['update'])).toMatchObject({ code: 0, stdout: 'Nothing new\n' })

    git(cli.work, 'clone', '--quiet', remote, other)
    await writeFile(join(other, 'new'), 'x')
    git(other, 'add', 'new')
    git(other, 'commit', '--quiet', '--message', 'Something new')
    git(other, 'push', '--quiet')
    const checked = await cli.run(['update', '--check'])
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]+ Something new\n$/) })
    expect(git(checkout, 'log', '--format=%s').trim()).toBe('First')
    expect(await cli.run(['update'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Updated to '),
    })
    expect(await readFile(join(checkout, 'new'), 'utf8')).toBe('x')
    expect(await readFile(join(checkout, 'built'), 'utf8')).toBe('')

    git(checkout, 'commit', '--quiet', '--allow-empty', '--message', 'Own')
    git(other, 'commit', '--quiet', '--allow-empty', '--message', 'Theirs')
    git(other, 'push', '--quiet')
    expect(await cli.run(['update'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be moved'),
    })
  })
})
