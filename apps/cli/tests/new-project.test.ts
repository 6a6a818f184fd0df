import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { buildCli } from './support/built-cli.ts'

const cli = await buildCli()
afterEach(async () => {
  await rm(cli.work, { recursive: true, force: true })
  await mkdir(cli.work)
})

const git = async (cwd: string, ...args: string[]) =>
  (await promisify(execFile)('git', args, { cwd })).stdout.trim()
const author = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}
const validity = async (cwd: string): Promise<unknown> =>
  JSON.parse((await cli.run(['validate', '--json'], { cwd })).stdout)

describe('init', () => {
  it('makes a valid project and a repository of a folder', async () => {
    const { code, stdout, stderr } = await cli.run(['init', '--name', 'Shop'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout).toContain('Created svc.yaml')
    expect(stderr).toContain('svc ship')
    expect(await validity(cli.work)).toEqual({ valid: true, issues: [], notes: [] })
    expect(await readFile(join(cli.work, 'README.md'), 'utf8')).toContain('# Shop')
    expect(await git(cli.work, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  })

  it('keeps what is there, and a repository around the folder', async () => {
    await git(cli.work, 'init', '--quiet')
    const folder = join(cli.work, 'app')
    await mkdir(folder)
    await writeFile(join(folder, 'README.md'), 'mine')
    const { code, stdout } = await cli.run(['init'], { cwd: folder })
    expect(code).toBe(0)
    expect(stdout).toContain('Kept README.md')
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('mine')
    expect(await readdir(folder)).not.toContain('.git')
  })

  it.each(['svc.yaml', 'svc.toml'])('touches nothing where %s is', async (manifest) => {
    await writeFile(join(cli.work, manifest), '')
    const { code, stderr } = await cli.run(['init'])
    expect(code).toBe(1)
    expect(stderr).toContain(`${manifest} is here already`)
    expect(await readdir(cli.work)).toEqual([manifest])
  })
})

describe('a project by its name alone', () => {
  it('is scaffolded and committed with --yes', async () => {
    const { code, stderr } = await cli.run(['web-shop', '--yes'], { env: author })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'next: cd web-shop, then svc ship\n' })
    const folder = join(cli.work, 'web-shop')
    expect(await git(folder, 'log', '--format=%s')).toBe('Start the project')
    expect(await git(folder, 'status', '--porcelain')).toBe('')
    expect(await validity(folder)).toEqual({ valid: true, issues: [], notes: [] })
  })

  it('without an author is left to be committed', async () => {
    const { code, stderr } = await cli.run(['web-shop', '--yes'], {
      env: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.useConfigOnly', GIT_CONFIG_VALUE_0: 'true' },
    })
    expect(code).toBe(0)
    expect(stderr).toContain('Nothing is committed yet')
    expect(await readdir(join(cli.work, 'web-shop'))).toContain('svc.yaml')
  })

  it('is not made in a folder that holds something', async () => {
    await mkdir(join(cli.work, 'storefront'))
    await writeFile(join(cli.work, 'storefront/a'), '')
    const { code, stderr } = await cli.run(['storefront', '--yes'])
    expect(code).toBe(1)
    expect(stderr).toContain('the folder storefront is not empty')
  })

  it.each([[['web-shop']], [['sesions', '--yes']], [['web-shop', 'x', '--yes']], [['../x', '--yes']]])(
    '%j is an unknown command',
    async (args) => {
      const { code, stderr } = await cli.run(args)
      expect(code).toBe(2)
      expect(stderr).toContain(`unknown command '${args[0]}'`)
      expect(await readdir(cli.work)).toEqual([])
    },
  )
})
