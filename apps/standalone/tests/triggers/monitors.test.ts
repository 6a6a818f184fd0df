import { rename } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entry, ledgerUntil, type MonitorWorld, openMonitorWorld } from '../support/monitors/world.ts'
import { sandboxProcesses } from '../support/sessions/sandbox-processes.ts'
import { waitFor } from '../support/wait-for.ts'

let world: MonitorWorld
beforeAll(async () => {
  world = await openMonitorWorld()
})
afterAll(() => world?.close())

const numbers = (prompts: readonly string[], slug: string) =>
  prompts.filter((text) => text.startsWith(`${slug} `)).map((text) => Number(text.split(' ').at(-1)))

test('lines, secrets, filter, silence and a storm, in one sandbox that counts as nobody’s', async () => {
  const entries = [
    entry('poll', 'echo polled', 'mode: poll, interval: 30s'),
    entry(
      'json',
      `echo '{"n":1,"level":"info"}'; echo '{"n":2,"level":"error"}'; exec sleep 600`,
      'mode: stream, filter: { line.level: error }',
    ),
    entry(
      'secret',
      'echo ${ALLOWED:-none} ${OTHER:-none} ${SVC_SANDBOX_TOKEN:-none} $SVC_AGENT_NAME; exec sleep 600',
    ),
    entry('still', 'exec sleep 600', 'mode: stream, expect_event_within: 30s'),
    entry('storm', 'exec yes storm'),
  ]
  const project = await world.project('  []\n')
  const { secrets, sessions, triggers } = world.client.projects
  await secrets.set(project.project_id, 'ALLOWED', 'allowed')
  await secrets.set(project.project_id, 'OTHER', 'forbidden')
  const scheduler = await world.startScheduler()
  await world.declare(project, entries.join(''))

  const polled = await ledgerUntil(world, project, 'poll', (fires) => fires.length >= 3)
  expect(polled.every(({ status, type }) => status === 'fired' && type === 'monitor')).toBe(true)
  await ledgerUntil(world, project, 'json', (fires) => fires.length === 1)
  await ledgerUntil(world, project, 'secret', (fires) => fires.length === 1)
  await ledgerUntil(world, project, 'still', (fires) => fires.length === 1)
  const storm = await ledgerUntil(world, project, 'storm', (fires) => {
    const [, lines = '0'] = /^suppressed: (\d+) lines$/.exec(fires.at(-1)?.reason ?? '') ?? []
    return Number(lines) > 100
  })
  expect(storm).toHaveLength(31)
  expect(storm.filter(({ status }) => status === 'fired')).toHaveLength(30)
  const prompts = await world.prompts(project)
  expect(prompts).toEqual(expect.arrayContaining(['json 1  2', 'still 1 silence Nothing was said for 1 s']))
  expect(prompts.find((text) => text.startsWith('secret'))).toBe('secret 1  allowed none none default')
  expect(prompts.filter((text) => text.startsWith('storm'))).toHaveLength(30)

  expect(await triggers.get(project.project_id, 'still')).toMatchObject({ monitor: { state: 'silent' } })
  const shown = await triggers.get(project.project_id, 'storm')
  expect(shown.monitor).toMatchObject({ state: 'running', suppressed_until: expect.any(String) })
  expect(shown.monitor?.suppressed_lines).toBeGreaterThan(100)
  // It is no person's session, and takes no message.
  const { items: listed } = await sessions.list(project.project_id)
  expect(listed.every(({ origin }) => origin === 'trigger')).toBe(true)
  const { items: system } = await sessions.list(project.project_id, { origin: 'system' })
  expect(system).toMatchObject([{ origin: 'system', name: 'Monitors', status: 'running' }])
  const refused = sessions.prompt(project.project_id, system[0]?.session_id ?? '', { text: 'hello' })
  await expect(refused).rejects.toMatchObject({ status: 409 })

  // Paused: the sandbox goes. On again: another one comes.
  await triggers.setPaused(project.project_id, true)
  await waitFor('the sandbox is gone', async () => (await world.host(project)) === undefined)
  expect(await triggers.get(project.project_id, 'poll')).toMatchObject({ monitor: { state: 'paused' } })
  const before = (await world.ledger(project, 'poll')).length
  await triggers.setPaused(project.project_id, false)
  await ledgerUntil(world, project, 'poll', (fires) => fires.length > before)
  await world.declare(project, '  []\n')
  await waitFor('the sandbox is gone', async () => (await world.host(project)) === undefined)
  expect(await scheduler.end('SIGTERM')).toBe(0)
})

test('a scheduler is killed in the middle, and another one goes on: no line is lost or doubled', async () => {
  const project = await world.project(
    entry('count', 'n=0; while [ $n -lt 29 ]; do n=$((n+1)); echo $n; sleep 0.1; done; exec sleep 600'),
  )
  const first = await world.startScheduler()
  const second = await world.startScheduler()
  for (const kill of [first, second]) {
    const before = (await world.ledger(project, 'count')).length
    // A slow machine may be through with all of them by the second kill.
    await ledgerUntil(world, project, 'count', ({ length }) => length > before || length === 29)
    await kill.end('SIGKILL')
    await world.startScheduler()
  }
  await ledgerUntil(world, project, 'count', (fires) => fires.length >= 29)
  expect(numbers(await world.prompts(project), 'count')).toEqual(
    Array.from({ length: 29 }, (_, index) => index + 1),
  )
  const host = await world.host(project)
  expect(host?.status).toBe('running')
  await world.declare(project, '  []\n')
})

/** Prints eight lines in each of its lives, and remembers on its disk how far it came. */
const counter = [
  'n=$(cat reached 2>/dev/null || echo 0); stop=$((n+8))',
  'while [ $n -lt $stop ]; do n=$((n+1)); echo $n > next; mv next reached; echo $n; sleep 0.1; done',
  'exec sleep 600',
].join('; ')

test('the daemon is killed in the middle of a stream, and the scheduler with it: lines go on, none is doubled', async () => {
  const project = await world.project(entry('lives', counter))
  let scheduler = await world.startScheduler()
  const inThisLife = async () => {
    const lives = (await world.prompts(project)).join('\n').split(/^lives \d+ exit .*$/m)
    return [...(lives.at(-1) ?? '').matchAll(/^lives \d+ {2}\d+$/gm)].length
  }
  for (const withScheduler of [false, true]) {
    await waitFor('it prints', async () => (await inThisLife()) >= 2)
    const host = await world.host(project)
    const found = await sandboxProcesses({ external_id: host?.external_id ?? null })
    const daemons = found.filter(({ command }) => /^\S*node .*svc-agent/.test(command))
    expect(daemons, JSON.stringify(found)).toHaveLength(1)
    for (const { pid } of daemons) process.kill(pid, 'SIGKILL')
    if (withScheduler) {
      await scheduler.end('SIGKILL')
      scheduler = await world.startScheduler()
    }
    const exits = withScheduler ? 2 : 1
    await waitFor('its end is told', async () => {
      const prompts = await world.prompts(project)
      return prompts.filter((text) => text.startsWith('lives') && text.includes(' exit ')).length === exits
    })
  }
  await waitFor('the last life has printed all', async () => (await inThisLife()) === 8)
  const prompts = (await world.prompts(project)).filter((text) => text.startsWith('lives'))
  const seqs = prompts.map((text) => Number(text.split(' ')[1]))
  expect(seqs, prompts.join('\n')).toEqual(prompts.map((_, index) => index + 1))
  // The line that a daemon was handling when it was killed may be gone; nothing comes twice, and nothing else is
  // missing.
  const printed = prompts.map((text) => (text.includes(' exit ') ? 'exit' : Number(text.split(' ').at(-1))))
  for (const [index, line] of printed.entries()) {
    const before = printed[index - 1] ?? 0
    if (line === 'exit') continue
    if (before !== 'exit') expect(line, prompts.join('\n')).toBe(before + 1)
    else expect(line, prompts.join('\n')).toBeGreaterThan(Number(printed[index - 2]))
  }
  await world.declare(project, '  []\n')
  await waitFor('the sandbox is gone', async () => (await world.host(project)) === undefined)
  expect(await scheduler.end('SIGTERM')).toBe(0)
})

test('a scheduler that does not reach the sandbox says so on its monitors, until it does', async () => {
  const project = await world.project(entry('heard', 'echo begun; exec sleep 600'))
  const scheduler = await world.startScheduler()
  await ledgerUntil(world, project, 'heard', (fires) => fires.length === 1)
  const errorIs = (is: (error: string | null) => boolean) =>
    waitFor('the error is as it should be', async () => {
      const { monitor } = await world.client.projects.triggers.get(project.project_id, 'heard')
      return monitor !== null && is(monitor.error) && monitor
    })
  await errorIs((error) => error === null)

  // As for a scheduler that does not see the folder of sandboxes.
  const socket = await world.socket(project)
  await rename(socket, `${socket}.away`)
  const { state, error } = await errorIs((error) => error !== null)
  expect(error).toMatch(
    /^The scheduler has not reached the sandbox .* since \d{4}-.*Z \(ENOENT\)\. Ask the operator/,
  )
  expect(error).not.toContain(socket)
  expect(state).toBe('running')
  await rename(`${socket}.away`, socket)
  await errorIs((error) => error === null)
  await world.declare(project, '  []\n')
  await waitFor('the sandbox is gone', async () => (await world.host(project)) === undefined)
  expect(await scheduler.end('SIGTERM')).toBe(0)
})

test('a killed sandbox and a lost one: each stream says that it was cut, once, and goes on', async () => {
  const project = await world.project(
    entry('one', 'echo begun; exec sleep 600') + entry('poll', 'echo polled', 'mode: poll, interval: 1d'),
  )
  const scheduler = await world.startScheduler()
  await ledgerUntil(world, project, 'one', (fires) => fires.length === 1)
  const killed = await world.host(project)
  // Its disk stays.
  await world.provider.stop(killed?.external_id ?? '')
  await ledgerUntil(world, project, 'one', (fires) => fires.length === 3)
  expect((await world.host(project))?.session_id).toBe(killed?.session_id)
  // All of it goes.
  await world.provider.destroy(killed?.external_id ?? '')
  await ledgerUntil(world, project, 'one', (fires) => fires.length === 5)
  expect((await world.prompts(project)).filter((text) => text.startsWith('one'))).toEqual([
    'one 1  begun',
    'one 2 exit The sandbox ended while the command ran',
    'one 3  begun',
    'one 3 exit The sandbox was lost while the command ran; it runs in another one',
    'one 4  begun',
  ])
  // A changed entry restarts that one alone, and says nothing of an end.
  await world.declare(
    project,
    entry('one', 'echo changed; exec sleep 600') + entry('poll', 'echo polled', 'mode: poll, interval: 1d'),
  )
  const polls = (await world.ledger(project, 'poll')).length
  await ledgerUntil(world, project, 'one', (fires) => fires.length === 6)
  expect((await world.prompts(project)).filter((text) => text.startsWith('one')).at(-1)).toBe(
    'one 5  changed',
  )
  expect(await world.ledger(project, 'poll')).toHaveLength(polls)
  await world.client.projects.archive(project.project_id)
  await waitFor('the sandbox is gone', async () => (await world.host(project)) === undefined)
  expect(await scheduler.end('SIGTERM')).toBe(0)
})
