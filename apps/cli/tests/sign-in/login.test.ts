import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { saveLogin } from '../../src/index.ts'
import { openWorld } from '../support/open-world.ts'
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
const lastToken = () => api.calls.at(-1)?.headers.authorization

describe('login', () => {
  it('checks the token, keeps it readable by its owner only, and makes the host active', async () => {
    const { code, stdout } = await login('--host', 'work')
    expect([code, stdout]).toEqual([0, `Logged in to work (${api.api_url}) as ada@example.com (Ada)\n`])
    expect(await config()).toEqual({
      active_host: 'work',
      hosts: { work: { api_url: api.api_url, token: 'svc_pat_a' } },
    })
    expect((await stat(cli.config_file)).mode & 0o777).toBe(0o600)
  })

  it('keeps the mode of the file at 0600 even when it was wider', async () => {
    await login()
    await chmod(cli.config_file, 0o644)
    await login()
    expect((await stat(cli.config_file)).mode & 0o777).toBe(0o600)
  })

  it('writes through a link', async () => {
    const real = join(cli.folder, 'real.json')
    await writeFile(real, '{}')
    await mkdir(join(cli.config_file, '..'), { recursive: true })
    await symlink(real, cli.config_file)
    await login()
    expect(await config(real)).toMatchObject({ active_host: 'local-dev' })
  })

  it('reads the token from stdin', async () => {
    const { code } = await cli.run(['login', '--token', '-', '--api', api.api_url], { input: 'svc_pat_b\n' })
    expect(code).toBe(0)
    expect(await config()).toMatchObject({ hosts: { 'local-dev': { token: 'svc_pat_b' } } })
  })

  it('takes a project token', async () => {
    const { stdout } = await cli.run(['login', '--token', 'svc_pat_project', '--api', api.origin])
    expect(stdout).toContain('as the token of project Shop')
  })

  it('keeps nothing when the token is refused', async () => {
    const { code, stderr } = await cli.run(['login', '--token', 'svc_pat_wrong', '--api', api.origin])
    expect(code).toBe(1)
    expect(stderr).toContain('unauthorized, 401')
    expect(stderr).toContain('next: copy the whole token')
    expect(stderr).toContain('request id: req-7')
    await expect(config()).rejects.toThrow('ENOENT')
  })

  it('without a token says what else there is where no browser helps', async () => {
    const { code, stderr } = await cli.run(['login', '--api', api.origin])
    expect(code).toBe(1)
    expect(stderr).toContain('offers no login by browser')
    expect(stderr).toContain('svc login --token <pat>')
  })

  it('is what saveLogin does for a program', async () => {
    const saved = await saveLogin({
      api_url: api.origin,
      token: 'svc_pat_c',
      config_file: cli.config_file,
    })
    expect(saved).toEqual({ host: 'local-dev', file: cli.config_file })
    const { stdout } = await cli.run(['whoami', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      email: 'ada@example.com',
      host: 'local-dev',
      api_url: api.api_url,
    })
    expect(lastToken()).toBe('Bearer svc_pat_c')
  })
})

describe('a second platform of this machine', () => {
  const second = 'http://127.0.0.1:7811/v1'
  const save = (api_url: string, token: string) => saveLogin({ api_url, token, config_file: cli.config_file })

  it('is a host of its own, and leaves the first its login', async () => {
    expect(await save(api.api_url, 'svc_pat_a')).toMatchObject({ host: 'local-dev' })
    expect(await save(second, 'svc_pat_b')).toMatchObject({ host: 'local-7811' })
    // Started again, each has the name that it has here.
    expect(await save(api.api_url, 'svc_pat_a')).toMatchObject({ host: 'local-dev' })
    expect(await save(second, 'svc_pat_b')).toMatchObject({ host: 'local-7811' })
    expect(await config()).toMatchObject({
      active_host: 'local-7811',
      hosts: {
        'local-dev': { api_url: api.api_url, token: 'svc_pat_a' },
        'local-7811': { api_url: second, token: 'svc_pat_b' },
      },
    })
    const { stdout } = await cli.run(['hosts', 'ls'])
    expect(stdout).toMatch(/^ +local-dev +http/m)
    expect(stdout).toMatch(/^\* +local-7811 +http/m)
  })

  it('that moved to another port keeps its name', async () => {
    await save('http://127.0.0.1:7700', 'svc_pat_a')
    expect(await save(second, 'svc_pat_a')).toMatchObject({ host: 'local-dev' })
    expect(await config()).toMatchObject({ hosts: { 'local-dev': { api_url: second } } })
  })

  it('that is logged in to by its address is one as well', async () => {
    await save(second, 'svc_pat_b')
    const { stdout } = await login()
    expect(stdout).toContain(`Logged in to local-${new URL(api.origin).port} `)
  })

  it('that is gone says how to go on with another', async () => {
    await login()
    await save('http://127.0.0.1:9', 'svc_pat_b')
    const { code, stderr } = await cli.run(['projects', 'ls'])
    expect(code).toBe(1)
    expect(stderr).toContain('cannot reach local-9 at http://127.0.0.1:9/v1')
    expect(stderr).toContain('svc hosts use <name>')
  })
})

describe('SVC_CONFIG_FILE', () => {
  it('moves the config file', async () => {
    const file = join(cli.folder, 'elsewhere/config.json')
    const env = { SVC_CONFIG_FILE: file }
    await cli.run(['login', '--token', 'svc_pat_a', '--api', api.origin], { env })
    expect(await config(file)).toMatchObject({ active_host: 'local-dev' })
    expect((await cli.run(['whoami'])).code).toBe(1)
    expect((await cli.run(['whoami'], { env })).code).toBe(0)
  })

  it('that is damaged is named', async () => {
    const file = join(cli.folder, 'damaged.json')
    await writeFile(file, '{')
    const { code, stderr } = await cli.run(['whoami'], { env: { SVC_CONFIG_FILE: file } })
    expect(code).toBe(1)
    expect(stderr).toContain(`${file} is not a valid config file`)
  })
})

describe('logout', () => {
  it('forgets the token and nothing else', async () => {
    await login('--host', 'work')
    expect(await cli.run(['logout'])).toMatchObject({ code: 0, stdout: 'Logged out of work\n' })
    expect(await config()).toMatchObject({
      active_host: 'work',
      hosts: { work: { api_url: api.api_url, token: null } },
    })
    const { code, stderr } = await cli.run(['whoami'])
    expect(code).toBe(1)
    expect(stderr).toContain('svc login --host work')
  })
})

describe('the token', () => {
  it('is SVC_CLI_TOKEN, then SVC_EXECUTOR_TOKEN, then the stored one; never SVC_TOKEN', async () => {
    await login()
    const env = { SVC_TOKEN: 'svc_pat_t' }
    await cli.run(['whoami'], { env })
    expect(lastToken()).toBe('Bearer svc_pat_a')
    await cli.run(['whoami'], { env: { ...env, SVC_EXECUTOR_TOKEN: 'svc_pat_e' } })
    expect(lastToken()).toBe('Bearer svc_pat_e')
    await cli.run(['whoami'], {
      env: { ...env, SVC_EXECUTOR_TOKEN: 'svc_pat_e', SVC_CLI_TOKEN: 'svc_pat_c' },
    })
    expect(lastToken()).toBe('Bearer svc_pat_c')
  })

  it('that is refused leads to a new login, or to the variable it came from', async () => {
    await saveLogin({
      api_url: api.origin,
      token: 'svc_pat_wrong',
      config_file: cli.config_file,
    })
    expect(await cli.run(['whoami'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('svc login --host local-dev'),
    })
    expect(await cli.run(['whoami'], { env: { SVC_CLI_TOKEN: 'svc_pat_wrong' } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the token in SVC_CLI_TOKEN was refused'),
    })
  })
})
