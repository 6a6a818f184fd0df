import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildCli } from '../support/built-cli.ts'

/**
 * For each shell, a script that presses TAB after `svc <words>`, and prints the words that it then offers or has written.
 */
const shells = {
  bash: (script: string, typed: string) => {
    const words = typed.split(' ')
    return [
      '-c',
      `. ${script}; COMP_WORDS=(svc ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
      _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]
  },
  fish: (script: string, typed: string) => [
    '--no-config',
    '-c',
    `source ${script}; complete -C 'svc ${typed}'`,
  ],
  // The candidates that the completion system of zsh would be given to show.
  zsh: (script: string, typed: string) => [
    '-f',
    '-c',
    `compdef() { : }; compadd() { : }; _describe() { print -rl -- $completions }
    source ${script}; words=(svc ${typed.replace(/ $/, " ''")}); CURRENT=$#words; _svc`,
  ],
} as const
type Shell = keyof typeof shells

const names: readonly Shell[] = ['bash', 'fish', 'zsh']
const present = names.filter((name) => spawnSync(name, ['-c', 'true']).status === 0)
const absent = names.filter((name) => !present.includes(name))
if (absent.length > 0) {
  const reason = `not tried, because they are not installed: ${absent.join(', ')}`
  if (process.env['CI'] !== undefined) throw new Error(reason)
  console.log(reason)
}

const cli = await buildCli()
let env: Record<string, string>
beforeAll(async () => {
  const svc = join(cli.folder, 'bin/svc')
  await writeFile(svc, `#!/bin/sh\nexec '${process.execPath}' '${cli.launcher}' "$@"\n`)
  await chmod(svc, 0o755)
  env = { PATH: `${join(cli.folder, 'bin')}:${process.env['PATH']}`, HOME: cli.folder, TERM: 'xterm' }
  for (const shell of present) {
    await writeFile(join(cli.folder, shell), (await cli.run(['completion', shell])).stdout)
  }
})

const suggestions = async (...words: string[]) => {
  const { code, stdout } = await cli.run(['complete', '--', ...words])
  expect(code).toBe(0)
  return stdout.split('\n').map((line) => line.split('\t')[0])
}

describe('what may come next', () => {
  it.each([
    [['se'], ['secrets', 'sessions']],
    [
      ['sessions', ''],
      ['chat', 'ls', 'new', 'preview'],
    ],
    [
      ['cr', 'ls', '--'],
      ['--status', '--project', '--json'],
    ],
    [
      ['cr', 'ls', '--status', ''],
      ['open', 'merged', 'closed', 'all'],
    ],
  ])('%j', async (words, expected) => {
    expect(await suggestions(...words)).toEqual(expect.arrayContaining(expected))
  })
})

describe('the script', () => {
  it.each([
    ['bash', 'svc complete --'],
    ['zsh', 'svc complete --'],
    ['fish', 'svc complete --'],
    ['powershell', 'Register-ArgumentCompleter -CommandName'],
  ])('of %s asks the command itself', async (shell, line) => {
    const { code, stdout, stderr } = await cli.run(['completion', shell])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toContain(line)
  })

  it('of another shell is refused with those that there are', async () => {
    const { code, stderr } = await cli.run(['completion', 'tcsh'])
    expect(code).toBe(2)
    expect(stderr).toContain('zsh, bash, fish, powershell')
  })
})

async function offered(shell: Shell, typed: string): Promise<string> {
  const args = shells[shell](join(cli.folder, shell), typed)
  const child = spawn(shell, args, { cwd: cli.work, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(stderr).toBe('')
  return stdout
}

it.each(present)('%s completes commands, flags and their values', async (shell) => {
  expect(await offered(shell, 'cr m')).toContain('merge')
  const groups = await offered(shell, 'se')
  for (const name of ['secrets', 'sessions', 'service-accounts', 'self-host']) expect(groups).toContain(name)
  expect(groups).not.toContain('projects')
  const states = await offered(shell, 'cr ls --status ')
  for (const state of ['open', 'merged', 'closed', 'all']) expect(states).toContain(state)
})

it.runIf(present.includes('bash'))('bash evaluates nothing of what was typed', async () => {
  await offered('bash', 'cr show $(touch evaluated) ')
  expect(spawnSync('ls', [cli.work]).stdout.toString()).toBe('')
})
