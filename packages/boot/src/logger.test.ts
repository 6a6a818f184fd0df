import { expect, test } from 'vitest'
import { createLogger, type LoggerOptions } from './logger.ts'

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = []
  const log = createLogger({
    name: 'api',
    ...options,
    destination: { write: (line) => void lines.push(line) },
  })
  const entries = () => lines.map((line): Record<string, unknown> => JSON.parse(line))
  return { log, lines, entries }
}

test('a key stands in a line once, whatever the line, its logger and the parents of that say', () => {
  const { log, lines, entries } = capture()
  const child = log.child({ session_id: 's1', name: 'mine' }).child({ session_id: 's1', job_id: 'j1' })
  child.warn({ session_id: 's1', job_id: 'j2', name: 'docker', msg: 'inner', level: 3, n: 1 }, 'done')
  expect(entries()[0]).toMatchObject({
    name: 'api',
    level: 'warn',
    session_id: 's1',
    other_name: 'mine',
    other_other_name: 'docker',
    job_id: 'j1',
    other_job_id: 'j2',
    other_level: 3,
    n: 1,
    msg: 'done',
  })
  for (const key of ['name', 'level', 'session_id', 'job_id', 'msg'])
    expect(lines[0]?.split(`"${key}":`).length, key).toBe(2)
})

test('writes JSON lines with the name, the level and what the child carries', () => {
  const { log, entries } = capture()
  log.child({ request_id: 'r1' }).child({ session_id: 's1' }).info({ n: 1 }, 'done')
  log.debug('not at this level')
  expect(entries()).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      name: 'api',
      request_id: 'r1',
      session_id: 's1',
      n: 1,
      msg: 'done',
    },
  ])
})

test('no token reaches the log: in the message, in a field, in a child, in an error or its stack', () => {
  const { log, lines, entries } = capture()
  const token = 'svc_pat_0123456789abcdef'
  log.info(`used ${token}`)
  log
    .child({ used: token, authorization: 'secret-value' })
    .info({ text: `x ${token}`, headers: { cookie: 'secret-value' } }, 'm')
  log.error(new Error(`bad ${token}`, { cause: new Error(token) }))
  log.error({ err: Object.assign(new Error('m'), { config: { token: 'secret-value' } }) }, 'm')
  expect(lines.join('')).not.toContain('0123456789')
  expect(lines.join('')).not.toContain('secret-value')
  expect(entries()).toHaveLength(4)
  expect(entries()[2]).toMatchObject({
    err: { type: 'Error', message: expect.stringContaining('svc_pat_***'), stack: expect.any(String) },
  })
})

test('pretty is text for a person, with the same secrets hidden', () => {
  const { log, lines } = capture({ pretty: true })
  log.warn({ where: 'here', password: 'hunter2' }, 'token svc_sa_123456')
  expect(lines.join('')).toMatch(/WARN.*token svc_sa_\*\*\*/)
  expect(lines.join('')).toContain('here')
  expect(lines.join('')).not.toContain('hunter2')
})
