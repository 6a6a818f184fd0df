import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdminClient } from '@svc/sdk/admin'
import { afterAll, expect, test } from 'vitest'
import { builtEntry } from '../platform/apps.ts'
import { run } from '../platform/run.ts'
import { endSandboxes } from '../platform/settle.ts'
import { type Asked, startLoad } from '../upgrade/load.ts'
import { loadedProject, slotSeconds } from '../upgrade/loaded-project.ts'
import { waitFor } from '../wait-for.ts'
import type { DrilledForm } from './forms.ts'
import { lostWork, wrongSlots } from './lost-work.ts'

/** Of work at least, with a backup in the middle; without it there is as much as is judged, and no more. */
const drillMs = Number(process.env.DRILL_SECONDS ?? 60) * 1_000
const judged = ['shipped', 'prompts', 'hooks', 'pushed', 'streamed'] as const

/** The test of a form, which is lost in the middle of its work and restored. */
export function drill(open: () => Promise<DrilledForm>): void {
  let form: DrilledForm
  let folder: string
  afterAll(async () => {
    await form?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('has, once it is restored, everything that was answered before its backup began', async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-drill-'))
    form = await open()
    const { root, token } = form
    const loaded = await loadedProject(form.client, token, root)
    const load = startLoad(loaded, () => '')
    const { asked } = load
    const isWrong = () => asked.wrong.length > 0
    const hasAll = () => judged.every((what) => asked[what].length > 2)
    await Promise.all([sleep(drillMs / 2), waitFor('work of each kind', () => isWrong() || hasAll())])
    const before: Asked = structuredClone(asked)
    const backup = await form.backUp()
    const from = new Date()
    const isLater = () => Date.now() > from.getTime() + slotSeconds * 1_000
    const wentOn = () => isLater() && judged.every((what) => asked[what].length > before[what].length)
    await Promise.all([sleep(drillMs / 2), waitFor('work and a slot after it', () => isWrong() || wentOn())])
    expect(asked.wrong).toEqual([])
    await form.lose()
    await load.abandon()

    const to = new Date()
    const { client, origin } = await form.restore(backup)
    const admin = createAdminClient({ api_url: `${origin}/v1`, token })
    expect(await admin.maintenance()).toMatchObject({ mode: 'read_only' })
    const env = { HOME: folder, SVC_CLI_TOKEN: token, SVC_API_URL: `${origin}/v1` }
    const svc = (...args: string[]) => run(process.execPath, [builtEntry('cli'), ...args], { env })
    const opened = await svc('admin', 'maintenance', 'off')
    expect(opened.code, opened.stderr).toBe(0)
    // A merge between the rows of the backup and its repositories is in git, and its row is finished.
    const repaired = await svc('doctor', '--repair')
    expect(repaired.code, repaired.stdout + repaired.stderr).toBe(0)
    // A sandbox that is being made is named by its row a moment later.
    const found = async () => {
      const { code, stdout } = await svc('doctor')
      return [code, stdout]
    }
    await expect.poll(found).toEqual([0, ''])
    expect(await lostWork({ client, token, folder }, loaded, before)).toEqual([])
    expect(await wrongSlots(client, loaded.project.project_id, { from, to })).toEqual([])
    await endSandboxes({ ...loaded, client }, origin)
  })
}
