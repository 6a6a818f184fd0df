import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../support/built-cli.ts'
import { accessLines } from './access.ts'
import { goldenRoutes } from './api.ts'
import { chatLines, chatRoutes } from './chat.ts'
import { mcpLine } from './mcp.ts'
import { goldenShip, shipLines } from './ship.ts'
import { triggerLines } from './triggers.ts'
import { hasTerminal, onTerminal, withoutEscapes, withoutSpinner } from '../support/on-terminal.ts'
import { projectId, sessionId } from '../support/records.ts'
import { startApi } from '../support/stub-api.ts'

const cli = await buildCli()
const api = await startApi({ ...goldenRoutes(), ...(await goldenShip(cli.work)) })
let env: Record<string, string>

beforeAll(async () => {
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
    PAGER: 'cat',
  }
})

interface Line {
  readonly line: string
  /** Below the working directory. */
  readonly cwd?: string
  readonly input?: string
}

/** Each line as it is typed; its output and exit code are in the golden files. */
const lines: readonly Line[] = [
  ...[
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
    'sessions options abcd1234',
    'sessions set abcd1234 mode odd',
    'sessions new --prompt Hello',
    'sessions open abcd1234-5555-4555-8555-555555555555',
    'sessions preview abcd1234-5555-4555-8555-555555555555',
    'sessions preview abcd1234-5555-4555-8555-555555555555 8000',
    'sessions restart abcd1234-5555-4555-8555-555555555555',
    'sessions rm abcd1234-5555-4555-8555-555555555555',
    'cr ls',
    'cr ls --json',
    'cr show 3',
    'cr diff 3',
    'cr open --title Fix --head fix',
    'cr merge 3',
    'cr merge 4',
    'cr merge 5',
    'cr merge 6',
    'cr close 3',
    'cr reopen 3',
    'cr show 9',
    'validate',
    'validate bare',
    'self-host start',
    'self-host env ls',
    'update',
    'uninstall',
    'version',
    'crr ls',
    'cr ls --status odd',
    'cr open',
    'channels connect chat_b',
    'channels send svc_chat_a --text Hi',
    'env pull',
    'secrets log',
    ...triggerLines,
    ...accessLines,
    ...chatLines,
  ].map((line) => ({ line })),
  ...shipLines,
  mcpLine,
]

/** The ones that look otherwise to a person than to a pipe. */
const onTerminals = [
  'projects ls',
  'sessions ls',
  'secrets ls',
  'triggers ls',
  'members ls',
  'service-accounts ls',
  'audit ls',
  'gateway keys ls',
  `sessions prompts ${sessionId}`,
  'cr ls',
  'cr show 3',
  'cr diff 3',
  'cr diff 3 --no-color',
  'cr merge 4',
  'validate',
  'cr --help',
] as const

const svc = () => `${process.execPath} ${cli.launcher}`
const masked = (output: string) =>
  output.replaceAll(api.origin, 'http://platform.example').replaceAll(cli.folder, '<folder>')

it('in a pipe each command prints and ends as written', async () => {
  const parts: string[] = []
  const waiting = lines.entries()
  const lane = async () => {
    for (const [index, { line, cwd = '.', input = '' }] of waiting) {
      const options = { env, input, cwd: join(cli.work, cwd) }
      const { code, stdout, stderr } = await cli.run(line.split(' '), options)
      const said = stderr.replace(/^(?=.)/gm, '! ')
      parts[index] = `$ svc ${line}\n${stdout}${said}(${code})\n`
    }
  }
  await Promise.all([lane(), lane(), lane()])
  await expect(masked(parts.join('\n'))).toMatchFileSnapshot('pipe.txt')
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  const visible = (output: string) => masked(withoutSpinner(output)).replaceAll('\u001b', '\\e')

  it('they print for a person, in colour and within its width', async () => {
    const shell = onTerminals.map((line) => `echo '$ svc ${line}'; ${svc()} ${line}; echo "($?)"; echo`)
    const output = await onTerminal(shell.join('; '), { cwd: cli.work, columns: 72, env })
    await expect(visible(output)).toMatchFileSnapshot('terminal.txt')
  })

  it('a conversation shows the agent at work, takes answers, and ends a turn at Ctrl-C', async () => {
    Object.assign(api.routes, chatRoutes())
    const output = await onTerminal(`${svc()} sessions chat ${sessionId}`, {
      cwd: cli.work,
      columns: 72,
      env: { ...env, NO_COLOR: '1' },
      typed: [
        [/> $/, 'Paint it\r'],
        [/eject\? $/, 'a\r'],
        [/> $/, '2\r'],
        [/> $/, 'And again\r'],
        [/Let me look\.\s*$/, '\u0003'],
        [/> $/, '\u0004'],
      ],
    })
    const read = withoutEscapes(withoutSpinner(output))
    await expect(read).toMatchFileSnapshot('conversation.txt')
  })
})
