import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProcessProvider } from '../../src/providers/index.ts'
import { findCgroups } from '../../src/providers/process/limits/cgroups.ts'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { environmentOf, runIn } from '../../src/testing/sandbox-client.ts'
import { type Opened, openProvider } from './open-provider.ts'
import { readRun } from './sandbox-run.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
if (!isRoot) console.warn('Skipped: sandboxes with users of their own, because only root can give them some')

describe.runIf(isRoot)('sandboxes started by root, without bubblewrap', () => {
  let stub: StubTools
  let opened: Opened

  beforeAll(async () => {
    stub = await createStubTools()
  })

  afterAll(() => stub.remove())

  beforeEach(async () => {
    opened = await openProvider(stub, 'none')
  })

  afterEach(() => opened.dispose())

  const create = () => opened.provider.create({ sandbox_id: randomUUID(), environment: {} })

  it('each run as a user of their own, without groups', async () => {
    const made = await Promise.all([create(), create()])
    const ids = await Promise.all(made.map(({ endpoint }) => runIn(endpoint, 'id -u; id -G')))
    const uids = ids.map(({ output }) => output.trim().split('\n'))
    for (const [uid, groups] of uids) {
      expect(Number(uid)).toBeGreaterThanOrEqual(20_000)
      expect(groups).toBe(uid)
    }
    expect(uids[0]).not.toEqual(uids[1])
  })

  it('cannot read each other’s files nor the platform’s', async () => {
    const [one, two] = await Promise.all([create(), create()])
    await runIn(one.endpoint, 'echo mine > "$SVC_WORKSPACE/file"; chmod 666 "$SVC_WORKSPACE/file"')
    const theirs = [`cat ${one.external_id}/workspace/file`, `cat ${one.external_id}/state.json`]
    for (const command of [...theirs, `cat ${two.external_id}/state.json`, 'cat .key', 'ls .locks', 'ls']) {
      expect((await runIn(two.endpoint, `cd ${opened.root} && ${command}`)).code, command).not.toBe(0)
    }
    expect((await stat(join(opened.root, one.external_id, 'state.json'))).mode & 0o777).toBe(0o600)
  })

  it('cannot plant anything among the tools', async () => {
    const { endpoint } = await create()
    expect((await runIn(endpoint, 'echo x > "$(dirname "$(command -v node)")/planted"')).code).not.toBe(0)
    expect((await runIn(endpoint, 'echo x >> "$(command -v svc-agent)"')).code).not.toBe(0)
  })

  it('refuse a folder that their users cannot reach', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'svc-closed-'))
    const options = {
      root: join(closed, 'sandboxes'),
      scope: 'here',
      tools: stub.sources,
      isolation: 'none' as const,
    }
    await expect(createProcessProvider({ ...options, api_url: '', log: () => undefined })).rejects.toThrow(
      closed,
    )
    await rm(closed, { recursive: true })
  })

  it('keep their user over a stop and start, so that their files stay theirs', async () => {
    const { external_id, endpoint } = await create()
    await environmentOf(endpoint)
    const { uid } = await readRun(opened.root, external_id)
    await opened.provider.stop(external_id)
    await opened.provider.start(external_id)
    expect((await readRun(opened.root, external_id)).uid).toBe(uid)
  })
})

const cgroups = await findCgroups()
if (!cgroups.controllers.has('pids'))
  console.warn('Skipped: limits of a sandbox as a whole, because no control group can be made')

describe.runIf(cgroups.controllers.has('pids'))('limits of a sandbox as a whole', () => {
  let stub: StubTools
  let opened: Opened | null = null

  beforeAll(async () => {
    stub = await createStubTools()
  })

  afterEach(() => opened?.dispose())

  afterAll(() => stub.remove())

  it.each(['none', 'auto'] as const)(
    'hold for everything in it, and go with it (isolation %s)',
    async (isolation) => {
      opened = await openProvider(stub, isolation)
      const { provider } = opened
      const limits = { pids: 40, memory_mb: 512, cpu: 1 }
      const { external_id, endpoint } = await provider.create({
        sandbox_id: randomUUID(),
        environment: {},
        limits,
      })
      const { output } = await runIn(endpoint, 'for i in $(seq 100); do sleep 600 > /dev/null 2>&1 & done')
      expect(output).toMatch(/fork/i)
      const group = join(cgroups.controllers.get('pids') ?? '', external_id)
      expect((await stat(group)).isDirectory()).toBe(true)
      await provider.stop(external_id)
      expect(await provider.status(external_id)).toBe('stopped')
      await expect(stat(group)).rejects.toThrow('ENOENT')
    },
  )
})
