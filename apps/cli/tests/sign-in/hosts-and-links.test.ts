import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { otherProjectId, project, projectId } from '../support/records.ts'
import { signInRoutes } from '../support/sign-in-routes.ts'

const { cli, api } = await openWorld(signInRoutes())
afterEach(async () => {
  await Promise.all([
    rm(join(cli.folder, 'home/.config'), { recursive: true, force: true }),
    rm(join(cli.work, '.svc'), { recursive: true, force: true }),
  ])
})

const config = async (file = cli.config_file): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))
const login = (...more: string[]) => cli.run(['login', '--token', 'svc_pat_a', '--api', api.origin, ...more])

describe('hosts', () => {
  it('has the built-in ones', async () => {
    const { stdout } = await cli.run(['hosts', 'ls', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'cloud', api_url: null },
      { name: 'selfhost', api_url: null },
      { name: 'internal-dev', api_url: null },
      { name: 'local-dev', api_url: 'http://127.0.0.1:7700/v1', active: true, logged_in: false },
    ])
  })

  it('are added with or without /v1, used, told about and removed', async () => {
    await cli.run(['hosts', 'add', 'one', '--url', api.origin])
    await cli.run(['hosts', 'add', 'two', '--url', `${api.origin}/v1/`])
    expect(await config()).toMatchObject({
      hosts: { one: { api_url: api.api_url }, two: { api_url: api.api_url } },
    })
    expect(await cli.run(['hosts', 'use', 'two'])).toMatchObject({ code: 0 })
    expect((await cli.run(['hosts', 'current'])).stdout).toBe('two\n')
    const info = await cli.run(['hosts', 'info', '--json'])
    expect(JSON.parse(info.stdout)).toMatchObject({
      name: 'two',
      active: true,
      reachable: true,
      version: '9.9.9',
    })
    expect(await cli.run(['hosts', 'rm', 'two'])).toMatchObject({ code: 0, stdout: 'Removed two\n' })
    expect((await cli.run(['hosts', 'current'])).stdout).toBe('local-dev\n')
    for (const verb of ['use', 'info', 'rm'])
      expect(await cli.run(['hosts', verb, 'two'])).toMatchObject({
        code: 1,
        stderr: 'error: there is no host two\nnext: `svc hosts ls` shows them\n',
      })
  })

  it('add --login logs in', async () => {
    const args = ['hosts', 'add', 'one', '--url', api.origin, '--login', '--token', 'svc_pat_a']
    expect(await cli.run(args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Logged in to one'),
    })
  })

  it('never send a stored token to another address', async () => {
    await login('--host', 'work')
    const { code, stderr } = await cli.run(['hosts', 'add', 'work', '--url', 'http://evil.example'])
    expect(code).toBe(1)
    expect(stderr).toContain('svc hosts rm work')
  })
})

describe('the link of a folder', () => {
  const link = join('.svc', 'link.json')

  it('is written, found from below, shown and removed', async () => {
    await login()
    expect(await cli.run(['projects', 'link', 'shop'])).toMatchObject({ code: 0 })
    expect(await config(join(cli.work, link))).toEqual({
      project_id: projectId,
      account_id: project().account_id,
      host: 'local-dev',
      host_url: api.api_url,
    })
    const below = join(cli.work, 'a/b')
    await mkdir(below, { recursive: true })
    expect((await cli.run(['projects', 'info'], { cwd: below })).stdout).toContain('Shop')
    expect((await cli.run(['projects', 'unlink'], { cwd: below })).stdout).toContain(projectId)
    expect((await cli.run(['projects', 'info'], { cwd: below })).code).toBe(1)
    expect(await readdir(cli.work)).not.toContain('.svc')
  })

  it('goes before the active host, and `hosts use` says so', async () => {
    await login()
    await cli.run(['projects', 'link', 'shop'])
    const { code, stderr } = await cli.run(['hosts', 'use', 'selfhost'])
    expect(code).toBe(0)
    expect(stderr).toContain('This folder is linked to local-dev')
    expect((await cli.run(['hosts', 'use', 'local-dev'])).stderr).not.toContain('linked')
  })

  it('takes the only project there is', async () => {
    await login()
    expect(await cli.run(['projects', 'link'])).toMatchObject({ code: 0 })
    expect(await config(join(cli.work, link))).toMatchObject({ project_id: projectId })
  })

  it('yields to SVC_PROJECT_ID, which yields to --project', async () => {
    await login()
    await cli.run(['projects', 'link', projectId])
    const seen = async (args: string[], env = {}) => {
      await cli.run(['projects', 'info', ...args], { env })
      return api.calls.at(-1)?.path
    }
    const env = { SVC_PROJECT_ID: otherProjectId }
    expect(await seen([])).toBe(`/v1/projects/${projectId}`)
    expect(await seen([], env)).toBe(`/v1/projects/${otherProjectId}`)
    expect(await seen(['--project', projectId], env)).toBe(`/v1/projects/${projectId}`)
    expect(await seen(['shop'], env)).toBe(`/v1/projects/${projectId}`)
  })

  it('chooses the host before the active one, and --host before both', async () => {
    await login('--host', 'linked')
    await cli.run(['projects', 'link', projectId])
    await cli.run(['hosts', 'add', 'third', '--url', 'http://127.0.0.1:9'])
    await cli.run(['hosts', 'use', 'local-dev'])
    expect((await cli.run(['hosts', 'current'])).stdout).toBe('linked\n')
    expect((await cli.run(['hosts', 'current', '--host', 'third'])).stdout).toBe('third\n')
    expect((await cli.run(['--host', 'third', 'hosts', 'current'])).stdout).toBe('third\n')
  })

  it('never decides where a token goes', async () => {
    await mkdir(join(cli.work, '.svc'))
    const evil = { project_id: projectId, account_id: null, host: 'evil', host_url: api.api_url }
    await writeFile(join(cli.work, link), JSON.stringify(evil))
    const { code, stderr } = await cli.run(['projects', 'ls'], { env: { SVC_CLI_TOKEN: 'svc_pat_a' } })
    expect(code).toBe(1)
    expect(stderr).toContain('the host evil, which is not known here')
    expect(api.calls).toEqual([])
  })

  it('that is damaged is named', async () => {
    await mkdir(join(cli.work, '.svc'))
    await writeFile(join(cli.work, link), '{}')
    const { code, stderr } = await cli.run(['projects', 'info'], {
      env: { SVC_CLI_TOKEN: 'x', SVC_API_URL: api.api_url },
    })
    expect(code).toBe(1)
    expect(stderr).toContain('link.json is not a valid link file')
  })

  it('missing is an error that says what to do', async () => {
    await login()
    const { code, stderr } = await cli.run(['cr', 'ls'])
    expect(code).toBe(1)
    expect(stderr).toContain('svc projects link')
  })
})

describe('an unreachable host', () => {
  it('is named with its address and what to do', async () => {
    const env = { SVC_CLI_TOKEN: 'svc_pat_a' }
    await cli.run(['hosts', 'add', 'local-dev', '--url', 'http://127.0.0.1:9'])
    const { code, stdout, stderr } = await cli.run(['projects', 'ls'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('cannot reach local-dev at http://127.0.0.1:9/v1')
    expect(stderr).toContain('npm start')
  })
})
