import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildCli } from '../support/built-cli.ts'

const cli = await buildCli()
const data = join(cli.folder, '.data')
beforeAll(async () => {
  // The folder of the built command becomes a checkout whose platform is a script that prints its arguments.
  await mkdir(join(cli.folder, 'scripts'))
  await writeFile(join(cli.folder, 'package.json'), '{ "name": "svc-platform", "type": "module" }')
})
beforeEach(() => rm(data, { recursive: true, force: true }))
afterAll(() => run('stop'))

const run = (...args: string[]) => cli.run(['self-host', ...args], { env: { CI: '' } })
const platform = (script: string) => writeFile(join(cli.folder, 'scripts/start.mjs'), script)
const ready = `
console.log('cwd', process.cwd(), 'data', process.env.SVC_DATA_DIR)
console.log('  svc is ready at http://127.0.0.1:7811 (started in 0.1 s)\\n  Dashboard  http://127.0.0.1:7811/dashboard/')
process.on('SIGTERM', () => { console.log('drained'); process.exit(0) })
setInterval(() => {}, 1000)
`

it('start runs it in the background, once; logs shows what it said; stop ends it', async () => {
  await platform(ready)
  const started = await run('start')
  expect(started).toMatchObject({ code: 0, stdout: 'Running at http://127.0.0.1:7811\n' })
  expect(started.stderr).toContain('Dashboard http://127.0.0.1:7811/dashboard/\n')
  const { pid } = JSON.parse(await readFile(join(data, 'self-host.json'), 'utf8'))
  expect(await run('start')).toMatchObject({ code: 0, stdout: `It runs already, as process ${pid}\n` })
  expect((await run('logs')).stdout).toContain(`cwd ${cli.folder} data ${data}\n`)
  expect((await run('logs', 'api', '--lines', '1')).stdout).toMatch(/^ *Dashboard .*\n$/)
  expect(await run('stop')).toMatchObject({ code: 0, stdout: 'Stopped\n' })
  expect((await run('logs')).stdout).toContain('drained')
  expect(await run('stop')).toMatchObject({ code: 0, stdout: 'Not running\n' })
})

it('a start that fails says why, and leaves nothing that looks like running', async () => {
  await platform("console.error('SVC_PORT: no number'); process.exit(1)")
  const { code, stdout, stderr } = await run('start')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('SVC_PORT: no number')
  expect(stderr).toContain('error: the platform did not start')
  expect((await run('stop')).stdout).toBe('Not running\n')
})

it('a number that another program has by now is not stopped', async () => {
  await mkdir(data)
  await writeFile(join(data, 'self-host.json'), `{ "pid": ${process.pid} }`)
  expect(await run('stop')).toMatchObject({ code: 0, stdout: 'Not running\n' })
})

it('env set keeps settings, and env ls shows them without what is secret', async () => {
  const set = await cli.run(['self-host', 'env', 'set', 'SVC_PORT=7811', 'SVC_MODEL_API_KEY=-'], {
    input: 'sk-secret\n',
  })
  expect(set).toEqual({ code: 0, stdout: 'Set SVC_PORT\nSet SVC_MODEL_API_KEY\n', stderr: '' })
  expect((await run('env', 'ls')).stdout).toBe('SVC_MODEL_API_KEY=***\nSVC_PORT=7811\n')
  expect(await readFile(join(data, 'settings.env'), 'utf8')).toContain("SVC_MODEL_API_KEY='sk-secret'")
  expect((await run('env', 'set', 'SVC_PORT=')).stdout).toBe('Unset SVC_PORT\n')
  expect(JSON.parse((await run('env', 'ls', '--json')).stdout)).toEqual({ SVC_MODEL_API_KEY: '***' })
})

it('env set refuses what the start would refuse, and names that nothing reads, before anything is kept', async () => {
  // Stands in for the built platform, whose own tests judge the values.
  const dist = join(cli.folder, 'apps/standalone/dist')
  await mkdir(dist, { recursive: true })
  const verdict = { known: ['SVC_PORT', 'SVC_LOG_LEVEL'], problems: ['SVC_LOG_LEVEL: must be one of info'] }
  await writeFile(join(dist, 'settings.js'), `console.log(${JSON.stringify(JSON.stringify(verdict))})`)
  try {
    const { code, stderr } = await run('env', 'set', 'SVC_PROT=7811', 'SVC_LOG_LEVEL=loud')
    expect(code).toBe(2)
    expect(stderr).toContain('SVC_PROT: nothing reads this setting; did you mean SVC_PORT?')
    expect(stderr).toContain('SVC_LOG_LEVEL: must be one of info')
    expect((await run('env', 'ls')).stdout).toBe('')
  } finally {
    await rm(join(cli.folder, 'apps'), { recursive: true })
  }
})

it.each([
  [['env', 'set'], 2, 'missing required argument'],
  [['env', 'set', 'hunter2'], 2, 'argument 1 is not NAME=VALUE'],
  [['env', 'set', 'port=1'], 2, 'port is not the name of a setting'],
  [['env', 'set', 'SVC_DATA_DIR=/x'], 2, 'cannot be one of them'],
  [['env', 'set', 'A=-', 'B=-'], 2, 'only one value'],
  [['configure'], 2, 'svc self-host env set NAME=VALUE'],
  [['logs'], 1, 'svc self-host start'],
  [['logs', 'web'], 2, 'one of api, gateway'],
  [['logs', '--lines', '0'], 2, 'give a number from 1 on'],
])('%j ends with %i', async (args, code, words) => {
  const result = await run(...args)
  expect(result).toMatchObject({ code, stdout: '' })
  expect(result.stderr).toContain(words)
  expect(result.stderr).not.toContain('hunter2')
})
