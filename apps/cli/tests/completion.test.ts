import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCli, buildCli } from './built-cli.ts'

let cli: BuiltCli
beforeAll(async () => {
  cli = await buildCli()
})
afterAll(() => cli.close())

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

  it('is understood by bash', async () => {
    const { stdout } = await cli.run(['completion', 'bash'])
    const bash = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'inherit'] })
    bash.stdin.end(stdout)
    expect(await once(bash, 'close')).toEqual([0, null])
  })

  it('of another shell is refused with those that there are', async () => {
    const { code, stderr } = await cli.run(['completion', 'tcsh'])
    expect(code).toBe(2)
    expect(stderr).toContain('zsh, bash, fish, powershell')
  })
})
