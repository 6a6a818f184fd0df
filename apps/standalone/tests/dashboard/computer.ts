import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { svc } from '../support/clients/svc.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { declare } from './declare.ts'
import { at, platform, project, watched } from './world.ts'

/** A person pairs a computer by the CLI, and their calls reach its files, until it is taken away. After the connector of before was declared. */
export function testComputer(): void {
  test('a computer is paired, serves its files, and is taken away on its page', async () => {
    await declare('  - { slug: computer, provider: computer }\n')
    const { project_id } = project
    const { connectors, connectorCalls } = platform.client.projects
    const root = join(platform.place.root, 'notes')
    await mkdir(root, { recursive: true })
    await writeFile(join(root, 'plan.txt'), 'Ship it on Friday')
    const page = await watched.page.context().newPage()
    await page.goto(at('/connectors/computer'))
    await page.getByText('svc connectors serve computer').waitFor()

    const words = ['connectors', 'serve', 'computer', '--root', root, '--name', 'Desk']
    const env = {
      ...{ PATH: process.env['PATH'], HOME: join(platform.place.root, 'home'), NO_COLOR: '1' },
      ...{ SVC_CONFIG_FILE: platform.place.config_file, SVC_PROJECT_ID: project_id },
    }
    const computer = spawn(process.execPath, [builtEntry('cli'), ...words], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    afterAll(() => void computer.kill('SIGKILL'))
    // Before anything ends it: what has ended already ends for no later listener.
    const ended = once(computer, 'exit')
    let said = ''
    computer.stderr.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => said).toMatch(/Serving .*notes as Desk: you, and the sessions that you start/)
    await expect.poll(async () => (await connectors.get(project_id, 'computer')).status).toBe('ready')
    await page.reload()
    await page.getByText('personal · online · default').waitFor()
    await page.getByText('files.read', { exact: true }).waitFor()

    const call = ['connectors', 'call', 'computer.files.read', '--args', '{"path":"plan.txt"}']
    const read = await svc(platform, call, { project_id })
    expect(read.stdout).toContain('Ship it on Friday')
    const asked = await connectorCalls.create(project_id, {
      ...{ connector: 'computer', action: 'files.write', args: { path: 'plan.txt', content: 'Later' } },
      wait_seconds: 0,
    })
    expect(asked).toMatchObject({ status: 'pending', reason: 'approval_required' })
    expect(await readFile(join(root, 'plan.txt'), 'utf8')).toBe('Ship it on Friday')

    await page.getByRole('button', { name: 'Disconnect Desk' }).click()
    expect(await ended).toEqual([1, null])
    expect(said).toMatch(/The connection was removed; serve again to make a new one/)
    await page.getByText('None yet.').waitFor()
    await page.close()
  })
}
