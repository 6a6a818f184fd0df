import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/version.ts'
import { buildCli } from '../support/built-cli.ts'

const cli = await buildCli()

describe('exit code 0', () => {
  it.each([[['version']], [['--version']], [['-V']], [['version', '--no-color']]])('%j', async (args) => {
    expect(await cli.run(args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('version --json', async () => {
    const { code, stdout } = await cli.run(['version', '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, { version }])
  })

  it.each([[[]], [['help']], [['--help']], [['-h']]])('%j prints the commands on stdout', async (args) => {
    const { code, stdout, stderr } = await cli.run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const group of ['login', 'hosts', 'projects', 'secrets', 'sessions', 'cr', 'validate']) {
      expect(stdout).toContain(`\n  ${group}`)
    }
  })

  it.each([
    [['help', 'cr', 'open']],
    [['cr', 'open', '--help']],
    [['cr', 'help', 'open']],
    [['cr', 'create', '-h']],
  ])('%j explains one command', async (args) => {
    const { code, stdout } = await cli.run(args)
    expect(code).toBe(0)
    expect(stdout).toContain('--title <text>')
    expect(stdout).toContain('--host <name>')
  })
})

describe('exit code 2', () => {
  it.each([
    [['crr', 'ls'], "unknown command 'crr'", 'Did you mean cr?'],
    [['sesions'], "unknown command 'sesions'", 'Did you mean sessions?'],
    [['cr', 'mrege'], "unknown command 'mrege'", 'Did you mean merge?'],
    [['cr', 'ls', '--stauts', 'open'], "unknown option '--stauts'", 'Did you mean --status?'],
    [
      ['cr', 'ls', '--status', 'odd'],
      "argument 'odd' is invalid",
      'Allowed choices are open, merged, closed, all',
    ],
    [['crr'], "unknown command 'crr'", 'next: `svc help` lists the commands'],
    [['cr', 'lst'], "unknown command 'lst'", 'next: `svc help cr` lists the commands'],
    [['help', 'nothing'], "unknown command 'nothing'", 'next: `svc help` lists the commands'],
    [['help', 'cr', 'mrege', '3'], "unknown command 'mrege'", 'Did you mean merge?'],
    [['cr', 'show'], "missing required argument 'cr'", 'next: `svc help cr show` tells how it is used'],
    [['cr', 'show', 'three'], 'three is not a change request', 'next:'],
    [['--no-color', 'cr', 'info', '3', '4'], 'too many arguments', '`svc help cr show` tells'],
    [['cr', 'open'], "required option '--title <text>' not specified", '`svc help cr open` tells'],
    [['cr', 'open', '--title', ' '], '--title must not be blank', 'next:'],
    [['cr', 'open', '--title', 'x', '--head', 'a', '--from', 'b'], 'cannot be used with', ''],
    [['cr', 'merge', '3', '--message'], 'argument missing', ''],
    [['sessions', 'ls', '--limit', '0'], 'give a number from 1 on', ''],
    [['sessions', 'chat', 'abcd1234', '--new', '--prompt', 'x'], 'exclude each other', ''],
    [['sessions', 'answer', 'abcd1234', 'q', 'Blue', '--reject'], 'exclude each other', ''],
    [['secrets', 'set'], 'missing required argument', ''],
    [['secrets', 'set', 'NAME'], 'argument 1 is not NAME=VALUE', ''],
    [['secrets', 'set', '1A=x'], '1A is not a name for a secret', ''],
    [['secrets', 'set', 'A=-', 'B=-'], 'only one value', ''],
    [
      ['triggers', 'add', 'x', '--prompt', 'p'],
      'exactly one of --cron, --run-at, --webhook and --monitor',
      '',
    ],
    [['triggers', 'add', 'x', '--prompt', 'p', '--monitor', 'm', '--cron', 'c'], 'give exactly one of', ''],
    [['triggers', 'add', 'x', '--prompt', 'p', '--cron', 'c', '--interval', '5m'], 'belong to --monitor', ''],
    [['hosts', 'add', 'x'], "required option '--url <url>'", ''],
    [['hosts', 'add', 'x', '--url', 'nope'], 'nope is not a URL', 'next: give the address'],
    [['hosts', 'add', 'x', '--url', 'ftp://x'], 'not an http(s) URL', 'next: give the address'],
    [['cr', 'ls', '--host', 'nowhere'], 'there is no host nowhere', 'known hosts'],
  ])('%j', async (args, problem, next) => {
    const { code, stdout, stderr } = await cli.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(problem)
    expect(stderr).toContain(next)
  })

  it('a group without a command', async () => {
    const { code, stdout, stderr } = await cli.run(['cr'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Usage: svc cr')
  })

  it('never repeats a secret value', async () => {
    const { stderr } = await cli.run(['secrets', 'set', 'OK=hunter2', 'hunter3'])
    expect(stderr).not.toMatch(/hunter/)
  })
})

describe('before the first build', () => {
  it('says what to do', async () => {
    const dist = join(cli.folder, 'dist')
    await rename(dist, `${dist}.away`)
    try {
      const { code, stdout, stderr } = await cli.run(['version'])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain('npm start')
    } finally {
      await rename(`${dist}.away`, dist)
    }
  })
})
