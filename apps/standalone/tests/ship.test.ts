import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { starterFiles } from '@svc/manifest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from './support/clients/git.ts'
import { type Platform, startPlatform } from './support/platform/platform.ts'
import { svc } from './support/clients/svc.ts'
import { run } from './support/platform/run.ts'

let platform: Platform
let cwd: string

beforeAll(async () => {
  platform = await startPlatform()
  cwd = join(platform.place.root, 'Shop')
  await mkdir(cwd)
})
afterAll(() => platform?.stop())

function ship(...flags: string[]) {
  return svc(platform, ['ship', ...flags], { cwd })
}

async function write(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true })
    await writeFile(join(cwd, path), text)
  }
}

async function commit(message: string, files: Readonly<Record<string, string>>) {
  await write(files)
  await git(['add', ...Object.keys(files)], { cwd })
  await git(['commit', '-qm', message], { cwd })
  return (await git(['rev-parse', 'HEAD'], { cwd })).trim()
}

async function project() {
  const [only, ...more] = await platform.client.projects.list()
  if (only === undefined || more.length > 0)
    throw new Error(`one project is expected, not ${more.length + 1}`)
  return only
}

async function tips(): Promise<Record<string, string>> {
  const branches = await platform.client.projects.branches.list((await project()).project_id)
  return Object.fromEntries(branches.map(({ name, sha }) => [name, sha]))
}

test('a folder without a repository, a branch or a commit is told what to do', async () => {
  expect(await ship()).toMatchObject({ code: 1, stderr: expect.stringContaining('git init') })
  await git(['init', '-q', '-b', 'master'], { cwd })
  expect(await ship()).toMatchObject({ code: 1, stderr: expect.stringContaining('no commit yet') })
  expect(await platform.client.projects.list()).toEqual([])
})

test('an invalid manifest is not pushed, and makes no project', async () => {
  await commit('Start', { 'svc.yaml': 'svc_version: 2\nagents: {}\n' })
  const refused = await ship()
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was pushed') })
  expect(refused.stdout).toContain('default_agent')
  expect(await platform.client.projects.list()).toEqual([])
})

test('the first run makes the project, links the folder and pushes the first branch as the default one', async () => {
  const commit_sha = await commit('Describe the agents', starterFiles({ name: 'Shop' }))
  await write({ 'notes.txt': 'not committed' })
  const shipped = await ship()
  expect(shipped, shipped.stderr).toMatchObject({ code: 0 })
  expect(shipped.stderr).toContain('1 file with uncommitted changes')
  expect(await project()).toMatchObject({ name: 'Shop', default_branch: 'main' })
  expect(await tips()).toEqual({ main: commit_sha })
  const link: unknown = JSON.parse(await readFile(join(cwd, '.svc/link.json'), 'utf8'))
  expect(link).toMatchObject({ project_id: (await project()).project_id, host: 'local-dev' })
})

test('what is shipped again says so, and new commits follow', async () => {
  expect(await ship()).toMatchObject({ code: 0, stdout: expect.stringContaining('up to date') })
  const commit_sha = await commit('Sell', { 'shop.txt': 'open' })
  expect(await svc(platform, ['deploy'], { cwd: join(cwd, '.svc') })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Shipped'),
  })
  expect(await tips()).toEqual({ main: commit_sha })
})

test('what was merged there is pulled by plain git, which is given no token', async () => {
  const { config_file, root } = platform.place
  const env = { HOME: join(root, 'home'), SVC_CONFIG_FILE: config_file, GIT_TERMINAL_PROMPT: '0' }
  expect(await run('git', ['pull', '--quiet'], { cwd, env })).toMatchObject({ code: 0, stderr: '' })
})

test('another branch goes to the branch of its name, and its change request is the next step', async () => {
  await git(['switch', '-qc', 'idea'], { cwd })
  const commit_sha = await commit('Try', { 'idea.txt': 'maybe' })
  expect(await ship()).toMatchObject({ code: 0, stderr: expect.stringContaining('svc cr open') })
  expect(await tips()).toMatchObject({ idea: commit_sha })
})

test('a branch that moved on the platform is never overwritten, and ship brings what is missing here', async () => {
  const before = await tips()
  await git(['reset', '-q', '--hard', 'HEAD~1'], { cwd })
  await commit('Try otherwise', { 'idea.txt': 'no' })
  expect(await ship()).toMatchObject({ code: 1, stderr: expect.stringContaining('git rebase svc/idea') })
  expect(await tips()).toEqual(before)
  // The missing commit has come along, so that the advice needs no token.
  expect((await git(['rev-parse', 'svc/idea'], { cwd })).trim()).toBe(before['idea'])
})

test('a key that may not write the default branch is told to ship another one', async () => {
  const { project_id } = await project()
  const { token } = await platform.client.projects.tokens.create(project_id, { name: 'ci' })
  await git(['switch', '-q', 'master'], { cwd })
  await commit('Slip in', { 'slip.txt': 'x' })
  expect(await svc(platform, ['ship'], { cwd, token })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/moves only by change requests[^]*--branch <name>/),
  })
  expect(await svc(platform, ['ship', '--branch', 'ci-work'], { cwd, token })).toMatchObject({ code: 0 })
  expect(Object.keys(await tips()).toSorted()).toEqual(['ci-work', 'idea', 'main'])
})

test('no file of the repository holds the token', async () => {
  const config = await readFile(join(cwd, '.git/config'), 'utf8')
  expect(config).toContain('[remote "svc"]')
  expect(config).not.toContain('svc_pat_')
})
