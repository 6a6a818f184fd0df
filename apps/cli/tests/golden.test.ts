import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCli, buildCli } from './built-cli.ts'
import { goldenRoutes } from './golden-api.ts'
import { projectId } from './records.ts'
import { startApi, type StubApi } from './stub-api.ts'

let cli: BuiltCli
let api: StubApi
let env: Record<string, string>

beforeAll(async () => {
  cli = await buildCli()
  api = await startApi({ ...goldenRoutes })
  const clock = join(cli.folder, 'clock.mjs')
  await writeFile(clock, "const at = Date.parse('2026-01-03T12:00:00Z'); Date.now = () => at\n")
  const config_file = join(cli.folder, 'config.json')
  const hosts = { work: { api_url: 'https://svc.work.example/v1', token: 'svc_pat_b' } }
  await writeFile(config_file, JSON.stringify({ active_host: 'work', hosts }))
  await writeFile(join(cli.work, 'local.env'), 'API_KEY=x\nEMPTY=\n')
  await mkdir(join(cli.work, 'bare'))
  await writeFile(
    join(cli.work, 'svc.yaml'),
    'svc_version: 2\nagents:\n  default: {}\n  other: { enable: true }\n',
  )
  env = {
    SVC_CLI_TOKEN: 'svc_pat_a',
    SVC_API_URL: api.api_url,
    SVC_PROJECT_ID: projectId,
    SVC_CONFIG_FILE: config_file,
    NODE_OPTIONS: `--import ${clock}`,
  }
})
afterAll(() => Promise.all([cli.close(), api.close()]))

/** Each line as it is typed; what it prints and how it ends are in the golden files. */
const lines = [
  'whoami',
  'hosts ls',
  'hosts info selfhost',
  'hosts current',
  'projects ls',
  'projects info',
  'projects info nowhere',
  'projects open',
  'secrets ls',
  'secrets set API_KEY=x',
  'secrets unset API_KEY',
  'env push --from local.env',
  'tokens ls',
  'tokens new laptop --expires 90d',
  'sessions ls',
  'sessions info abcd1234',
  'sessions new --prompt Hello',
  'sessions open abcd1234-5555-4555-8555-555555555555',
  'sessions preview abcd1234-5555-4555-8555-555555555555',
  'sessions preview abcd1234-5555-4555-8555-555555555555 8000',
  'sessions restart abcd1234-5555-4555-8555-555555555555',
  'sessions rm abcd1234-5555-4555-8555-555555555555',
  'triggers ls',
  'triggers info nightly',
  'triggers fire nightly',
  'triggers disable nightly',
  'triggers history nightly',
  'triggers info absent',
  'cr ls',
  'cr ls --json',
  'cr show 3',
  'cr diff 3',
  'cr open --title Fix --head fix',
  'cr merge 3',
  'cr merge 4',
  'cr merge 5',
  'cr close 3',
  'cr reopen 3',
  'cr show 9',
  'validate',
  'validate bare',
  'channels',
  'self-host start',
  'self-host env ls',
  'update',
  'uninstall',
  'version',
  'crr ls',
  'cr ls --status odd',
  'cr open',
] as const

/** The ones that look otherwise to a person than to a pipe. */
const onTerminals = [
  'projects ls',
  'sessions ls',
  'secrets ls',
  'triggers ls',
  'cr ls',
  'cr show 3',
  'cr diff 3',
  'cr diff 3 --no-color',
  'cr merge 4',
  'validate',
  'cr --help',
] as const

const masked = (output: string) =>
  output.replaceAll(api.origin, 'http://platform.example').replaceAll(cli.folder, '<folder>')

it('in a pipe each command prints and ends as written', async () => {
  const parts: string[] = []
  const waiting = lines.entries()
  const lane = async () => {
    for (const [index, line] of waiting) {
      const { code, stdout, stderr } = await cli.run(line.split(' '), { env })
      const said = stderr.replace(/^(?=.)/gm, '! ')
      parts[index] = `$ svc ${line}\n${stdout}${said}(${code})\n`
    }
  }
  await Promise.all([lane(), lane(), lane()])
  await expect(masked(parts.join('\n'))).toMatchFileSnapshot('golden/pipe.txt')
}, 240_000)

const hasScript = spawnSync('script', ['--version']).status === 0
if (!hasScript && process.env['CI']) throw new Error('these tests need `script` of util-linux')
if (!hasScript)
  console.log('skipped: `script` of util-linux is not installed, so there is no terminal to test on')

describe.skipIf(!hasScript && !process.env['CI'])('on a terminal', () => {
  it('they print for a person, in colour and within its width', async () => {
    const svc = `${process.execPath} ${cli.launcher}`
    const shell = onTerminals.map((line) => `echo '$ svc ${line}'; ${svc} ${line}; echo "($?)"; echo`)
    const child = spawn('script', ['-qec', `stty cols 72; ${shell.join('; ')}`, '/dev/null'], {
      cwd: cli.work,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: cli.work, TERM: 'xterm', ...env },
    })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    const visible = output.replaceAll('\r\n', '\n').replaceAll('\u001b', '\\e')
    await expect(masked(visible)).toMatchFileSnapshot('golden/terminal.txt')
  }, 240_000)
})
