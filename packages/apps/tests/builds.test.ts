import { secrets, projects } from '@svc/db'
import { sealFor } from '@svc/services'
import { beforeAll, expect, test } from 'vitest'
import { checkApps, getAppRelease, listAppReleases, readAppLog } from '../src/index.ts'
import { bundle, instancesOf, openStage, type Stage, userOf, visitFront } from '../src/testing/index.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ running: true })
  return () => stage.programs.close()
})

const manifest = (entry: string) => `svc_version: 2\napps:\n  api: ${entry}\n`
const releaseOf = async ({ ctx, project_id }: Awaited<ReturnType<Stage['project']>>) =>
  (await getAppRelease(ctx, { project_id, app: 'api', number: '1' })).release
const logOf = async ({ ctx, project_id }: Awaited<ReturnType<Stage['project']>>) =>
  (await readAppLog(ctx, { project_id, app: 'api', after: 0, limit: 500 })).lines

async function setSecret(project: Awaited<ReturnType<Stage['project']>>, name: string, value: string) {
  const row = await projects.find(stage.world.db, project.project_id)
  if (row === undefined) throw new Error('No project')
  const at = stage.world.clock.now()
  const sealed_value = sealFor(stage.world.base.vault, row, name, value)
  const created_by = userOf(project.owner.principal)
  await secrets.put(stage.world.db, {
    ...{ project_id: project.project_id, name, sealed_value, created_by },
    created_at: at,
    updated_at: at,
  })
}

test('a static app is what its build made, without private files, and its log is kept', async () => {
  const project = await stage.project({
    'svc.yaml': manifest(`{ type: static, build_command: "sh make.sh", env: { WORD: hello } }`),
    'make.sh':
      'echo makes $WORD; mkdir dist; echo "<h1>$WORD</h1>" > dist/index.html; echo KEY=1 > dist/.env; pwd; ls -a',
    '.env': 'PRIVATE=1',
  })
  await stage.settle(project)
  expect(await releaseOf(project)).toMatchObject({ status: 'ready', artifact: { kind: 'files', files: 1 } })
  const lines = await logOf(project)
  const built = lines.filter(({ source }) => source === 'build').map(({ line }) => line)
  expect(built.slice(0, 2)).toEqual(['$ sh make.sh', 'makes hello'])
  expect(built).not.toContain('.env')
  expect(built).not.toContain('.git')
  expect(await stage.programs.list()).toEqual([])
})

test('a bundle is its root with what install left, and no secret is in a build', async () => {
  const project = await stage.project({
    ...bundle('one'),
    'svc.yaml': manifest(
      `{ type: bundle, root: api, install_command: "env > built.txt; echo ok > installed.txt", command: [node, server.js], secrets: { KEY: API_KEY } }`,
    ),
  })
  await setSecret(project, 'API_KEY', 'a-marked-value')
  await stage.settle(project)
  expect(await releaseOf(project)).toMatchObject({ status: 'ready', artifact: { kind: 'archive', files: 3 } })
  const [instance] = await instancesOf(stage.world.db, project.project_id)
  expect(JSON.parse(await visitFront(instance, '/env')).KEY).toBe('a-marked-value')
  const rows = JSON.stringify([await instancesOf(stage.world.db, project.project_id), await logOf(project)])
  expect(rows).not.toContain('a-marked-value')
  expect((await logOf(project)).map(({ line }) => line)).toContain('listens with [API_KEY]')
})

test.each([
  ['{ type: static, build_command: "echo to no end; exit 4" }', 'The build ended with code 4', 'to no end'],
  ['{ type: static, build_command: "mkdir out", output_dir: public }', 'There is no folder "public"', 'out/'],
  ['{ type: static, build_command: "mkdir dist; ln -s /etc/passwd dist/x" }', 'leads out of the folder', 'x'],
])('%s fails and says why', async (entry, why, more) => {
  const project = await stage.project({ 'svc.yaml': manifest(entry), 'README.md': 'Words' })
  await stage.settle(project)
  const { status, failure } = await releaseOf(project)
  expect(status).toBe('failed')
  expect(failure).toMatchObject({ category: 'build', step: expect.stringMatching(/building|provisioning/) })
  expect(failure?.message).toContain(why)
  expect(failure?.message).toContain(more)
})

test('a build in the whole repository is made anew for what it is built from, and for nothing else', async () => {
  const entries = (more: string) => `svc_version: 2
apps:
  site: { type: static, build_command: "mkdir dist && cat src/page.txt > dist/index.html" }
  api: { type: static, path: apps/api${more} }
`
  const files = {
    ...{ 'svc.yaml': entries(''), 'README.md': 'Words', '.env.example': 'A=1' },
    ...{ 'src/page.txt': 'One', 'apps/api/index.html': 'One', 'apps/shared.txt': 'One' },
  }
  const project = await stage.project(files)
  await stage.settle(project)
  const counts = async () => {
    await stage.settle(project)
    const { ctx, project_id } = project
    const of = async (app: string) => {
      const { releases } = await listAppReleases(ctx, { project_id, app, limit: 50 })
      return releases.length
    }
    return [await of('site'), await of('api')]
  }
  expect(await counts()).toEqual([1, 1])
  await project.commit('main', { 'README.md': 'Other words', '.env.example': 'A=2', LICENSE: 'MIT' })
  expect(await counts()).toEqual([1, 1])
  await project.commit('main', { 'apps/api/index.html': 'Two' })
  expect(await counts()).toEqual([1, 2])
  await project.commit('main', { 'svc.yaml': entries(', spa: true') })
  expect(await counts()).toEqual([1, 3])
  await project.commit('main', { 'src/page.txt': 'Two' })
  expect(await counts()).toEqual([2, 3])
  await project.commit('main', { 'apps/shared.txt': 'Two' })
  expect(await counts()).toEqual([3, 3])
  await project.commit('main', { 'src/README.md': 'Part of the page' })
  expect(await counts()).toEqual([4, 3])
})

test('what this platform cannot give is said before anything is made', async () => {
  const project = await stage.project({ 'README.md': 'Words' })
  const text = [
    'svc_version: 2',
    'apps:',
    '  big: { type: bundle, command: [x], resources: { cpu: 64 } }',
    '  image: { type: dockerfile, command: [x], port: 3000 }',
    '  keyed: { type: bundle, command: [x], secrets: { KEY: NO_SUCH } }',
    '  ported: { type: bundle, command: [x], port: 3000, env: { PORT: "4000" } }',
  ].join('\n')
  const { apps } = await checkApps(project.ctx, { project_id: project.project_id, manifest: text })
  expect(
    apps.map(({ name, deployable, issues }) => [name, deployable, issues[0]?.path, issues[0]?.message]),
  ).toEqual([
    [
      'big',
      false,
      'apps.big.resources.cpu',
      'asks for 64, and this platform gives at most 4 (SVC_APPS_MAX_CPU)',
    ],
    ['image', false, 'apps.image.type', expect.stringContaining('dockerfile needs docker or kubernetes')],
    ['keyed', false, 'apps.keyed.secrets.KEY', expect.stringContaining('svc secrets set NO_SUCH')],
    ['ported', false, 'apps.ported.env.PORT', expect.stringContaining('PORT')],
  ])
})
