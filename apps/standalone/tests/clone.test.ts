import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commit, makeRepository, startGitServer } from '@svc/git/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { git as gitAlone } from './support/clients/git.ts'
import { svc } from './support/clients/svc.ts'
import { type Platform, startPlatform } from './support/platform/platform.ts'
import { run } from './support/platform/run.ts'

let platform: Platform
let shop: string
let project_id: string

beforeAll(async () => {
  platform = await startPlatform({ SVC_ALLOW_HTTP_REPOSITORIES: 'true', SVC_ALLOW_PRIVATE_ADDRESSES: 'true' })
  shop = join(platform.place.root, 'shop')
  ;({ project_id } = await platform.client.projects.provision({ name: 'Shop' }))
})
afterAll(() => platform?.stop())

/** Git as the person who is logged in runs it: nobody gives it a token. */
async function git(args: readonly string[], cwd = shop) {
  const { root, config_file } = platform.place
  const env = { HOME: join(root, 'home'), SVC_CONFIG_FILE: config_file, GIT_TERMINAL_PROMPT: '0' }
  const author = ['-c', 'user.name=Person', '-c', 'user.email=person@svc.invalid']
  const { code, stdout, stderr } = await run('git', [...author, ...args], { cwd, env })
  return { code, stderr, stdout: stdout.trim() }
}

const tips = async () => {
  const branches = await platform.client.projects.branches.list(project_id)
  return Object.fromEntries(branches.map(({ name, sha }) => [name, sha]))
}

/** A change request of a branch with one more commit, which another clone pushed. */
async function proposed(branch: string, text: string) {
  const other = join(platform.place.root, branch)
  const { token } = platform
  const { git_origin_url } = await platform.client.projects.get(project_id)
  await gitAlone(['clone', '-q', String(git_origin_url), other], { token })
  await gitAlone(['switch', '-qc', branch], { cwd: other })
  await writeFile(join(other, 'idea.txt'), text)
  await gitAlone(['add', '.'], { cwd: other })
  await gitAlone(['commit', '-qm', `Add ${text}`], { cwd: other })
  await gitAlone(['push', '-q', 'origin', branch], { cwd: other, token })
  return platform.client.projects.changeRequests.create(project_id, {
    title: `Add ${text}`,
    head_ref: branch,
  })
}

test('a project is cloned by its slug, and its folder is linked', async () => {
  const cloned = await svc(platform, ['projects', 'clone', 'shop'])
  expect(cloned, cloned.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(project_id) })
  expect((await git(['rev-parse', 'HEAD'])).stdout).toBe((await tips())['main'])
  expect((await svc(platform, ['cr', 'ls'], { cwd: shop })).code).toBe(0)
  const again = await svc(platform, ['projects', 'clone', 'shop'])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
})

test('plain git fetches, pulls and pushes there, and no file of it holds a token', async () => {
  const cr = await proposed('first', 'one')
  await platform.client.projects.changeRequests.merge(project_id, cr.cr_id)
  const pulled = await git(['pull', '--quiet'])
  expect(pulled).toMatchObject({ code: 0 })
  expect(await readFile(join(shop, 'idea.txt'), 'utf8')).toBe('one')
  await git(['switch', '-qc', 'mine'])
  await git(['commit', '-q', '--allow-empty', '-m', 'Begin'])
  expect(await git(['push', '--quiet', 'svc', 'mine'])).toMatchObject({ code: 0 })
  expect(await tips()).toMatchObject({ mine: (await git(['rev-parse', 'HEAD'])).stdout })
  expect(await readFile(join(shop, '.git/config'), 'utf8')).not.toContain('svc_')
})

test('the branch of a change request is checked out, and follows it', async () => {
  const cr = await proposed('second', 'two')
  const here = await svc(platform, ['cr', 'checkout', String(cr.number)], { cwd: shop })
  expect(here, here.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Add two') })
  expect(await readFile(join(shop, 'idea.txt'), 'utf8')).toBe('two')
  expect((await git(['symbolic-ref', '--short', 'HEAD'])).stdout).toBe('second')

  const other = join(platform.place.root, 'second')
  await writeFile(join(other, 'idea.txt'), 'better')
  await gitAlone(['commit', '-qam', 'Mend it'], { cwd: other })
  await gitAlone(['push', '-q', 'origin', 'second'], { cwd: other, token: platform.token })
  await git(['switch', '-q', 'main'])
  expect(await svc(platform, ['cr', 'checkout', `#${cr.number}`], { cwd: shop })).toMatchObject({ code: 0 })
  expect(await readFile(join(shop, 'idea.txt'), 'utf8')).toBe('better')
})

test('commits of one’s own on that branch stay', async () => {
  await git(['commit', '-q', '--allow-empty', '-m', 'Mine'])
  const mine = (await git(['rev-parse', 'HEAD'])).stdout
  const other = join(platform.place.root, 'second')
  await gitAlone(['commit', '-q', '--allow-empty', '-m', 'Theirs'], { cwd: other })
  await gitAlone(['push', '-q', 'origin', 'second'], { cwd: other, token: platform.token })
  const refused = await svc(platform, ['cr', 'checkout', '2'], { cwd: shop })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('git rebase svc/second') })
  expect((await git(['rev-parse', 'HEAD'])).stdout).toBe(mine)
})

test('a folder that was linked is let in, one of another platform is told nothing', async () => {
  const { git_origin_url } = await platform.client.projects.get(project_id)
  const linked = join(platform.place.root, 'linked')
  await mkdir(linked)
  await git(['init', '-q', '-b', 'main'], linked)
  await git(['remote', 'add', 'origin', String(git_origin_url)], linked)
  expect((await git(['fetch', '-q', 'origin'], linked)).code).not.toBe(0)
  expect(await svc(platform, ['projects', 'link', 'shop'], { cwd: linked })).toMatchObject({ code: 0 })
  expect(await git(['fetch', '-q', 'origin'], linked)).toMatchObject({ code: 0 })

  const asked = await svc(platform, ['git-credential', 'get'], {
    input: 'protocol=https\nhost=example.com\n\n',
  })
  expect(asked).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('https://example.com') })
})

test('plain git is let in at the public address of the platform, where the login is at another one', async () => {
  const { root } = platform.place
  const inner = join(root, 'inner')
  await mkdir(inner)
  await git(['init', '-q', '-b', 'main'], inner)
  const { git_origin_url } = await platform.client.projects.get(project_id)
  await git(['remote', 'add', 'origin', String(git_origin_url)], inner)
  const file = join(root, 'inner.json')
  const env = { SVC_CONFIG_FILE: file }
  const api = `http://localhost:${new URL(platform.origin).port}`
  const login = await svc(platform, ['login', '--api', api, '--token', '-'], { env, input: platform.token })
  expect(login, login.stderr).toMatchObject({ code: 0 })
  expect(await svc(platform, ['projects', 'link', 'shop'], { cwd: inner, env })).toMatchObject({ code: 0 })
  const fetched = await run('git', ['fetch', '-q', 'origin'], {
    cwd: inner,
    env: { HOME: join(root, 'home'), GIT_TERMINAL_PROMPT: '0', ...env },
  })
  expect(fetched, fetched.stderr).toMatchObject({ code: 0 })
})

test('the token of an environment is set up nowhere', async () => {
  const cwd = platform.place.root
  const { token } = platform
  expect(await svc(platform, ['projects', 'clone', 'shop', 'once'], { cwd, token })).toMatchObject({
    code: 0,
  })
  expect(await readFile(join(cwd, 'once/.git/config'), 'utf8')).not.toContain('credential')
})

test('a repository on a host of its own is cloned from there, as the person reaches it', async () => {
  const { root } = platform.place
  const repository = await makeRepository({
    git_dir: join(root, 'hosts/tools.git'),
    files: { 'README.md': 'Hi\n' },
  })
  const host = await startGitServer({ root: join(root, 'hosts') })
  onTestFinished(() => host.close())
  const repo_url = host.url('tools.git')
  const tools = await platform.client.projects.connect({ name: 'Tools', repo_url })
  const cloned = await svc(platform, ['projects', 'clone', tools.project_id, 'elsewhere'])
  expect(cloned, cloned.stderr).toMatchObject({ code: 0 })
  const cwd = join(root, 'elsewhere')
  expect(await git(['rev-parse', 'HEAD'], cwd)).toMatchObject({ stdout: await repository.tip('main') })
  expect((await git(['remote', 'get-url', 'origin'], cwd)).stdout).toBe(repo_url)

  await commit(repository, 'idea', { 'idea.txt': 'three' }, 'Add three', { from: 'main' })
  const cr = await platform.client.projects.changeRequests.create(tools.project_id, {
    title: 'Add three',
    head_ref: 'idea',
  })
  expect(await svc(platform, ['cr', 'checkout', String(cr.number)], { cwd })).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'idea.txt'), 'utf8')).toBe('three')
})
