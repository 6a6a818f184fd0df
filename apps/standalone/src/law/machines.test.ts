import { changeRequestMachine } from '@svc/change-request'
import { promptMachine, sandboxMachine, sessionMachine } from '@svc/session'
import { fireMachine } from '@svc/trigger'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

describe('a status is written by its machine alone', () => {
  const tables = [
    'backups',
    'change_requests',
    'event_partitions',
    'gateway_calls',
    'harness_installs',
    'manifest_edits',
    'merge_attempts',
    'merge_intents',
    'project_sessions',
    'projects',
    'session_previews',
    'session_prompts',
    'session_sandboxes',
    'trigger_deliveries',
    'trigger_fires',
    'warm_sandboxes',
  ].join('|')
  const write = new RegExp(
    String.raw`\b(status|state|verdict)\b\s*([,}]|[:=](?!\s*'?(\$\{)?\w+Machine\.to\())`,
  )

  /** Updates of these tables that set a status which is not `…Machine.to(event)`. */
  function strays(source: string): string[] {
    const built = source.matchAll(
      new RegExp(
        `updateTable\\('(?:${tables})(?: as \\w+)?'\\)(?:(?!updateTable|\\.where\\()[^])*?\\.set\\((?:(?!\\.where\\(|\\.execute)[^])*`,
        'g',
      ),
    )
    const written = source.matchAll(
      new RegExp(`update (?:${tables})\\b[^]*?\\bset\\b(?:(?!\\bwhere\\b)[^])*`, 'g'),
    )
    return [...built, ...written].map(([update]) => update).filter((update) => write.test(update))
  }

  test.each([
    `db.updateTable('session_prompts').set({ state: 'failed' }).where('x', '=', 1)`,
    `db\n  .updateTable('change_requests')\n  .set({ closed_at: now, status: end.status })\n  .execute()`,
    `tx.updateTable('merge_intents as i').set({ state }).where('state', '=', 'planned')`,
    `tx.updateTable('trigger_deliveries').set({ verdict, reason }).where('receipt_id', '=', receipt_id)`,
    `sql\`update trigger_fires set reason = \${reason}, status = \${end.status} where true\``,
  ])('%j is found', (planted) => expect(strays(planted)).toHaveLength(1))

  test.each([
    `db.updateTable('session_prompts').set({ state: promptMachine.to(event) }).where('state', 'in', [])`,
    `sql\`update trigger_fires set status = \${fireMachine.to(event)} where status = 'queued'\``,
    `db.updateTable('project_sessions').set({ name }).where('status', '=', 'running')`,
  ])('%j is none', (allowed) => expect(strays(allowed)).toEqual([]))

  test('in every package and app', () => {
    const rooms = ['packages', 'apps'].flatMap((group) =>
      readdirSync(join(root, group)).map((name) => `${group}/${name}/src`),
    )
    const found = rooms.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|migrations\/|testing\//.test(file))
        .flatMap((file) =>
          strays(readFileSync(join(root, room, file), 'utf8')).map((update) => [`${room}/${file}`, update]),
        ),
    )
    expect(found).toEqual([])
  })
})

describe('the documents say the states and events of the machines', () => {
  const rowsOf = (page: string, head: RegExp) => {
    const lines = readFileSync(join(root, 'docs', page), 'utf8').split('\n')
    const first = lines.findIndex((line) => head.test(line)) + 2
    const rows = lines.slice(
      first,
      lines.findIndex((line, at) => at > first && !line.startsWith('|')),
    )
    return rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  }
  const name = (cell = '') => cell.replaceAll('`', '')

  test('of a change request', () => {
    const rows = rowsOf('change-requests.md', /^\| Status +\| Events it accepts/)
    const documented = rows.map(([status, events = '']) => [
      name(status),
      [...events.matchAll(/([a-z ]+) → `(\w+)`/g)]
        .map(([, event = '', to]) => `${event.trim()} ${to}`)
        .sort(),
    ])
    const known = changeRequestMachine.states.map((status) => [
      status,
      changeRequestMachine.events
        .filter((event) => changeRequestMachine.accepts(status, event))
        .map((event) => `${event.replace('_', ' ')} ${changeRequestMachine.to(event)}`)
        .sort(),
    ])
    expect(documented.toSorted()).toEqual(known.toSorted())
  })

  test('of a session', () => {
    const words = {
      ready: 'ready',
      stop: 'stop',
      "the sandbox's own end": 'exit',
      failure: 'fail',
      start: 'start',
      'a prompt': 'start',
      restart: 'restart',
    }
    const rows = rowsOf('sessions.md', /^\| Status +\| Means +\| Leaves it by/)
    const eventOf = new Map(Object.entries(words))
    const documented = rows.map(([status, , ways = '']) => [
      name(status),
      [...new Set(ways.split(', ').map((way) => eventOf.get(way) ?? way))].sort(),
    ])
    const known = sessionMachine.states
      .map((status) => [
        status,
        sessionMachine.events.filter((event) => sessionMachine.accepts(status, event)).sort(),
      ])
      .filter(([, events]) => events?.length)
    expect(documented.toSorted()).toEqual(known.toSorted())
  })

  test('of a prompt', () =>
    expect(rowsOf('sessions.md', /^\| State +\| Means/).map(([state]) => name(state))).toEqual(
      promptMachine.states,
    ))

  test('of a fire', () =>
    expect(rowsOf('triggers.md', /^\| Status +\| Meaning/).map(([status]) => name(status))).toEqual(
      fireMachine.states,
    ))

  test('of a sandbox', () => {
    const text = readFileSync(join(root, 'docs/sessions.md'), 'utf8')
    const [, list = ''] = /`runtime_status` speaks of the sandbox: ([^.]*)\./.exec(text) ?? []
    expect([...list.matchAll(/`(\w+)`/g)].map(([, word]) => word)).toEqual(sandboxMachine.states)
  })
})
