import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { dockerPaths } from './paths.ts'
import { writeDockerRecord } from './record.ts'
import { createRelays } from './relays.ts'

const external_id = 'sbx_0123456789abcdef0123456789abcdef'

async function openRelays() {
  const root = await mkdtemp(join(tmpdir(), 'svc-relays-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const paths = dockerPaths(root, external_id)
  await mkdir(paths.shared, { recursive: true })
  await writeDockerRecord(paths.state, {
    ...{ external_id, sandbox_id: 'one', environment: {}, limits: {}, entrypoint: null },
    ...{ workload: 'session', image_program: null },
    ...{ disk_by_engine: true, hosts: {}, stop_asked: false, ended_because: null },
  })
  const locks = join(root, '.locks')
  await mkdir(locks)
  const relays = createRelays({
    paths: { root, locks },
    egress: { mode: 'platform', forbidden_urls: [], private_repositories: false },
    options: { api_url: 'http://127.0.0.1:1' },
  })
  onTestFinished(() => relays.close())
  return { relays, paths }
}

test('a look at a sandbox that is being removed opens no way into its folder again', async () => {
  const { relays, paths } = await openRelays()
  await relays.ensure(external_id)
  expect(existsSync(paths.inward)).toBe(true)
  const looks: Promise<void>[] = []
  await relays.remove(external_id, async () => {
    looks.push(relays.ensure(external_id))
    // Time in which a look that is not kept waiting would have opened its sockets.
    await sleep(200)
    expect(existsSync(paths.inward)).toBe(false)
    await rm(paths.folder, { recursive: true })
  })
  await Promise.all(looks)
  expect(existsSync(paths.folder)).toBe(false)
})
