import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { buildCli } from '../support/built-cli.ts'
import { ok, startApi } from '../support/stub-api.ts'

const stack = fileURLToPath(new URL('../../../../infra/compose/compose.yaml', import.meta.url))
const hasCompose = spawnSync('docker-compose', ['version']).status === 0
if (!hasCompose && process.env['CI']) throw new Error('these tests need docker-compose')
if (!hasCompose) console.log('skipped: docker-compose is not installed, so the stack is not read by it')

const cli = await buildCli()
const api = await startApi({ 'GET /v1/health': () => ok({ status: 'ok' }) })
let engine: Server
const data = join(cli.folder, '.data')
const bin = join(cli.folder, 'tools')
let env: Record<string, string>

beforeAll(async () => {
  // The folder of the built command becomes a checkout, with an engine's socket and a docker that prints its arguments.
  await mkdir(bin)
  await cp(stack, join(cli.folder, 'infra/compose/compose.yaml'), { recursive: true })
  await writeFile(join(cli.folder, 'package.json'), '{ "name": "svc-platform", "type": "module" }')
  engine = createServer().listen(join(cli.folder, 'docker.sock'))
  env = {
    CI: '',
    PATH: `${bin}:/usr/bin:/bin`,
    DOCKER_HOST: `unix://${join(cli.folder, 'docker.sock')}`,
    SVC_PORT: '1',
    POSTGRES_PASSWORD: 'of-another-program',
  }
})
beforeEach(async () => {
  await rm(data, { recursive: true, force: true })
  await docker('')
})
afterAll(() => void engine.close())

const run = (...args: string[]) => cli.run(['self-host', ...args], { env })
const setPort = () => run('env', 'set', `SVC_PORT=${new URL(api.origin).port}`)
const calls = async () =>
  (await readFile(join(cli.folder, 'calls.txt'), 'utf8'))
    .split('\n')
    .map((line) => line.replace(/^compose .*compose\.yaml /, ''))
    .filter((line) => line !== '' && !line.includes('version') && !line.startsWith('ps '))

/** Answers `compose ps` with the services of `running.txt`, and otherwise does what the script says. */
async function docker(script: string): Promise<void> {
  await rm(join(cli.folder, 'calls.txt'), { force: true })
  await writeFile(join(cli.folder, 'running.txt'), '')
  const file = join(bin, 'docker')
  await writeFile(
    file,
    `#!/bin/sh
echo "$*" >> ${cli.folder}/calls.txt
env | grep -E '^(SVC_|POSTGRES)' >> ${cli.folder}/leaked.txt
case "$*" in *' ps '*) cat ${cli.folder}/running.txt;; esac
${script}
`,
  )
  await chmod(file, 0o755)
}

describe('svc self-host with containers', () => {
  it('builds, starts in order, waits for the API, and keeps its secrets in a file of its own', async () => {
    await setPort()
    const bootstrap = { token: 'svc_pat_owner', dashboard_url: `${api.origin}/dashboard/` }
    await mkdir(join(data, 'compose/state'), { recursive: true })
    await writeFile(join(data, 'compose/state/bootstrap.json'), JSON.stringify(bootstrap))
    const started = await run('start', '--compose')
    expect(started, started.stderr).toMatchObject({ code: 0, stdout: `Running at ${api.origin}\n` })
    expect(started.stderr).toContain(`Dashboard ${api.origin}/dashboard/`)
    expect(await calls()).toEqual(['build net sandbox-image', 'up --detach --no-build --force-recreate'])
    const file = join(data, 'compose.env')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const written = await readFile(file, 'utf8')
    const secrets = [...written.matchAll(/='([0-9a-f]{64})'/g)].map(([, value]) => value ?? '')
    expect(new Set(secrets).size).toBe(5)
    for (const secret of secrets) expect(started.stdout + started.stderr).not.toContain(secret)
    await run('start', '--compose', '--no-build')
    expect(await readFile(file, 'utf8')).toBe(written)
    expect(await readFile(join(cli.folder, 'leaked.txt'), 'utf8')).toBe('')
    const { hosts } = JSON.parse(await readFile(cli.config_file, 'utf8'))
    expect(hosts['local-dev']).toMatchObject({ api_url: api.api_url, token: 'svc_pat_owner' })
  })

  it('that runs already is neither started again nor beside itself', async () => {
    await setPort()
    await run('start', '--compose')
    await writeFile(join(cli.folder, 'running.txt'), 'net\napi\n')
    expect((await run('start', '--compose')).stdout).toBe(
      `It runs already, as containers, at ${api.origin}\n`,
    )
    const beside = await run('start')
    expect([beside.code, beside.stderr]).toEqual([1, expect.stringContaining('runs already, as containers')])
    expect((await run('env', 'set', 'SVC_IDLE_SECONDS=600')).stderr).toContain('at the next start')
  })

  it('stop ends the containers and the sandboxes of this stack alone; logs are the services’ own', async () => {
    await setPort()
    await run('start', '--compose')
    await docker(`case "$*" in
      'ps --filter'*) printf 'a1 svc-0123456789ab\\nb2 other-0123456789ab\\nc3 svc-apps-0123456789ab\\n';;
      *' logs '*) printf 'api_1 | ready \\033[2J\\n';;
    esac`)
    await writeFile(join(cli.folder, 'running.txt'), 'api\npostgres\n')
    expect((await run('logs', 'database', '--lines', '7')).stdout).toBe('api_1 | ready \ufffd[2J\n')
    expect(await run('stop')).toMatchObject({ code: 0, stdout: 'Stopped\n' })
    expect(await calls()).toEqual(['logs --no-color --tail 7 postgres', 'stop', 'stop a1 c3'])
  })

  it('a stop that cannot tell what runs says so', async () => {
    await setPort()
    await run('start', '--compose')
    await docker(`case "$*" in *' ps '*) exit 1;; esac`)
    const { code, stderr } = await run('stop')
    expect([code, stderr]).toEqual([1, expect.stringContaining('look whether Docker runs')])
  })

  it('a start that fails says what compose said, and ends with 1', async () => {
    await setPort()
    await docker(`case "$*" in *' up '*) echo 'port is already allocated' >&2; exit 1;; esac`)
    const { code, stdout, stderr } = await run('start', '--compose')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('  port is already allocated\nerror: the containers did not start\n')
  })

  it.each([
    [
      'without an engine',
      { DOCKER_HOST: 'unix:///nowhere/docker.sock' },
      'there is no Docker engine at /nowhere',
    ],
    ['with an engine elsewhere', { DOCKER_HOST: 'tcp://far:2375' }, 'which is not on this machine'],
  ])('%s it says what to do', async (_, more, words) => {
    const { code, stderr } = await cli.run(['self-host', 'start', '--compose'], { env: { ...env, ...more } })
    expect(code).toBe(1)
    expect(stderr).toContain(words)
    expect(stderr).toContain('\nnext: ')
  })
})

describe.skipIf(!hasCompose)('the stack', () => {
  const read = (file: string) =>
    spawnSync('docker-compose', ['--env-file', file, '-f', stack, 'config'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    })

  test('is what compose understands; each service has a health check and waits for what it needs', async () => {
    await setPort()
    await run('start', '--compose')
    const { status, stdout, stderr } = read(join(data, 'compose.env'))
    expect(status, stderr).toBe(0)
    const { services, networks } = parse(stdout)
    const names = [
      ...['postgres', 'redis', 'api', 'gateway', 'executor', 'scheduler', 'merge-worker', 'app-worker'],
      ...['app-proxy', 'channel-worker', 'sandbox-worker'],
    ]
    for (const name of names) {
      const service = services[name]
      expect(service.healthcheck, name).toBeDefined()
      expect(service.restart, name).toBe('unless-stopped')
      expect(service.network_mode, name).toBe('service:net')
    }
    const healthy = { condition: 'service_healthy' }
    const migrated = { condition: 'service_completed_successfully' }
    expect(services.migrate).toMatchObject({ restart: 'on-failure', depends_on: { postgres: healthy } })
    expect(services.api.depends_on).toEqual({ postgres: healthy, redis: healthy, migrate: migrated })
    const makers = { 'sandbox-worker': 'engine-gate', 'app-worker': 'app-engine-gate' }
    for (const name of names.slice(3).filter((one) => !(one in makers)))
      expect(services[name].depends_on, name).toEqual({ api: healthy })
    for (const [name, gate] of Object.entries(makers))
      expect(services[name].depends_on, name).toEqual({ api: healthy, [gate]: healthy })
    expect(services.net.ports.map(String)).toEqual([
      expect.stringMatching(/^127\.0\.0\.1:/),
      expect.stringMatching(/^127\.0\.0\.1:/),
      expect.stringMatching(/^127\.0\.0\.1:/),
      expect.stringMatching(/^127\.0\.0\.1:0:3000/),
    ])
    for (const name of ['prometheus', 'grafana'])
      expect(services[name], name).toMatchObject({
        profiles: ['observability'],
        network_mode: 'service:net',
        healthcheck: expect.anything(),
      })
    // Each has a bound of its own, and writes nothing into its image.
    for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
      const { mem_limit, cpus, pids_limit, read_only, tmpfs } = service
      expect({ mem_limit, cpus, pids_limit, read_only, tmpfs }, name).toEqual({
        mem_limit: expect.anything(),
        cpus: expect.anything(),
        pids_limit: expect.anything(),
        read_only: true,
        tmpfs: expect.arrayContaining(['/tmp']),
      })
    }
    const holders = Object.keys(services).filter((name) =>
      JSON.stringify(services[name].volumes ?? []).includes('/var/run/docker.sock'),
    )
    expect(holders.toSorted()).toEqual(['app-engine-gate', 'engine-gate'])
    for (const name of holders) {
      expect(services[name], name).toMatchObject({ network_mode: 'none' })
      expect(Object.keys(services[name].environment), name).not.toContain('DATABASE_URL')
    }
    // The sandboxes of apps are none of the other gate's, and the other way round.
    const { SVC_DEPLOYMENT: deployment } = services['engine-gate'].environment
    expect(services['app-engine-gate'].environment).toMatchObject({ SVC_DEPLOYMENT: `${deployment}-apps` })
    const seers = (folder: string) =>
      [...names, ...holders].filter((name) =>
        new RegExp(`/${folder}[":]`).test(JSON.stringify(services[name].volumes ?? [])),
      )
    expect(seers('sandboxes'), 'who reaches sandboxes at their sockets').toEqual([
      ...['api', 'scheduler', 'sandbox-worker', 'engine-gate'],
    ])
    expect(seers('programs'), 'who reaches programs of apps').toEqual([
      ...['app-worker', 'app-proxy', 'app-engine-gate'],
    ])
    expect(seers('engine')).toEqual(['sandbox-worker', 'engine-gate'])
    expect(seers('app-engine')).toEqual(['app-worker', 'app-engine-gate'])
    // Hooks, chats, mails and connectors are elsewhere.
    expect(networks?.default?.internal ?? false, 'a network without a way out').toBe(false)
    expect(services.gateway.environment).not.toHaveProperty('SVC_MASTER_KEY')
    const sealers = names.filter((name) => 'SVC_GATEWAY_MASTER_KEY' in (services[name].environment ?? {}))
    expect(sealers, 'who opens keys of model providers').toEqual(['api', 'gateway'])
  })

  test('has no password of its own: without the file it is refused', async () => {
    await mkdir(data, { recursive: true })
    const file = join(data, 'empty.env')
    await writeFile(file, '')
    const { status, stderr } = read(file)
    expect(status).not.toBe(0)
    expect(stderr).toContain('is missing')
    const text = await readFile(stack, 'utf8')
    expect(text).not.toMatch(/(PASSWORD|MASTER_KEY):-/)
  })
})
