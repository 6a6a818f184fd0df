import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { createLifecycle, type LifecycleOptions } from './lifecycle.ts'
import { createLogger } from './logger.ts'

function setUp(options: Omit<LifecycleOptions, 'host'> = {}) {
  const host = Object.assign(new EventEmitter(), { exit: vi.fn() })
  const lines: string[] = []
  const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } })
  const lifecycle = createLifecycle(log, { host, ...options })
  const exited = () => vi.waitFor(() => expect(host.exit).toHaveBeenCalled())
  return { host, lifecycle, lines, exited }
}

test('SIGTERM closes what was opened, the last one first, and ends with 0', async () => {
  const { host, lifecycle, exited } = setUp()
  const closed: string[] = []
  await lifecycle.run(async () => {
    lifecycle.defer('postgres', () => closed.push('postgres'))
    lifecycle.defer('server', async () => void closed.push('server'))
  })
  host.emit('SIGTERM')
  await exited()
  expect(closed).toEqual(['server', 'postgres'])
  expect(host.exit.mock.calls).toEqual([[0]])
})

test('a part that fails to close is told, the others are closed, and the end is 1', async () => {
  const { host, lifecycle, lines, exited } = setUp()
  const closed: string[] = []
  lifecycle.defer('postgres', () => closed.push('postgres'))
  lifecycle.defer('queue', () => Promise.reject(new Error('stuck')))
  await lifecycle.run()
  host.emit('SIGINT')
  await exited()
  expect(closed).toEqual(['postgres'])
  expect(lines.join('')).toContain('"part":"queue"')
  expect(host.exit.mock.calls).toEqual([[1]])
})

test('a part that hangs is given up after the drain time', async () => {
  const { host, lifecycle, lines, exited } = setUp({ drain_ms: 30 })
  lifecycle.defer('postgres', () => undefined)
  lifecycle.defer('worker', () => new Promise(() => undefined))
  await lifecycle.run()
  host.emit('SIGTERM')
  await exited()
  expect(lines.join('')).toContain('"waiting_for":"worker","not_closed":["postgres"]')
  expect(host.exit.mock.calls).toEqual([[1]])
})

test('a part that takes long is hurried, and so are those after it: all are closed, and the end is 0', async () => {
  const { host, lifecycle, lines, exited } = setUp({ drain_ms: 1_000 })
  const closed: string[] = []
  lifecycle.defer('postgres', (force) => closed.push(`postgres ${force.aborted ? 'at once' : 'kindly'}`))
  lifecycle.defer('worker', async (force) => {
    await new Promise((resolve) => force.addEventListener('abort', resolve))
    closed.push('worker')
  })
  await lifecycle.run()
  host.emit('SIGTERM')
  await exited()
  expect(closed).toEqual(['worker', 'postgres at once'])
  expect(lines.join('')).toContain('"waiting_for":"worker"')
  expect(host.exit.mock.calls).toEqual([[0]])
})

test('a second signal ends at once', async () => {
  const { host, lifecycle } = setUp()
  lifecycle.defer('worker', () => new Promise(() => undefined))
  await lifecycle.run()
  host.emit('SIGTERM')
  expect(host.exit).not.toHaveBeenCalled()
  host.emit('SIGINT')
  expect(host.exit.mock.calls).toEqual([[130]])
})

test('a start that fails closes what it had opened and ends with 1', async () => {
  const { host, lifecycle, lines } = setUp()
  const closed: string[] = []
  await lifecycle.run(async () => {
    lifecycle.defer('postgres', () => closed.push('postgres'))
    throw new Error('no port')
  })
  expect(closed).toEqual(['postgres'])
  expect(lines.join('')).toContain('no port')
  expect(host.exit.mock.calls).toEqual([[1]])
})

test.each(['unhandledRejection', 'uncaughtException'])('%s is logged and ends with 1', async (event) => {
  const { host, lifecycle, lines, exited } = setUp()
  const closed: string[] = []
  lifecycle.defer('postgres', () => closed.push('postgres'))
  await lifecycle.run()
  host.emit(event, new Error('nobody looked'))
  await exited()
  expect(closed).toEqual(['postgres'])
  expect(lines.join('')).toContain('nobody looked')
  expect(host.exit.mock.calls).toEqual([[1]])
})

test('the program may stop itself, once', async () => {
  const { host, lifecycle } = setUp()
  await Promise.all([lifecycle.stop('done'), lifecycle.stop('done again', 1)])
  expect(host.exit.mock.calls).toEqual([[0]])
})

test('a signal during the start lets the part that opens open, opens no other, and closes all of them', async () => {
  const { host, lifecycle, lines, exited } = setUp()
  const order: string[] = []
  let opened: () => void = () => undefined
  const opening = new Promise<void>((resolve) => (opened = resolve))
  const running = lifecycle.run(async () => {
    lifecycle.defer('postgres', () => order.push('postgres closed'))
    await opening
    order.push('queue opened')
    lifecycle.defer('queue', () => order.push('queue closed'))
    order.push('workers started')
  })
  host.emit('SIGINT')
  await Promise.resolve()
  expect(order).toEqual([])
  opened()
  await exited()
  await running
  expect(order).toEqual(['queue opened', 'queue closed', 'postgres closed'])
  expect(lines.join('')).not.toContain('The start failed')
  expect(host.exit.mock.calls).toEqual([[0]])
})

test('a start is told that it is over, and its refusal then is no failure', async () => {
  const { host, lifecycle, lines, exited } = setUp()
  const running = lifecycle.run(async (stopping) => {
    await new Promise((resolve) => stopping.addEventListener('abort', resolve))
    throw new Error('cut off')
  })
  host.emit('SIGTERM')
  await exited()
  await running
  expect(lines.join('')).not.toContain('"level":"fatal"')
  expect(host.exit.mock.calls).toEqual([[0]])
})

test('a start that hangs is not waited for longer than kindly: what is open is closed, and the end is 1', async () => {
  const { host, lifecycle, lines, exited } = setUp({ drain_ms: 30 })
  const closed: string[] = []
  void lifecycle.run(async () => {
    lifecycle.defer('postgres', () => closed.push('postgres'))
    await new Promise(() => undefined)
  })
  host.emit('SIGTERM')
  await exited()
  expect(closed).toEqual(['postgres'])
  expect(lines.join('')).toContain('"waiting_for":"the start"')
  expect(host.exit.mock.calls).toEqual([[1]])
})

test('a refused start may be told in words of its own', async () => {
  const refused = vi.fn()
  const { host, lifecycle, lines } = setUp({ on_failed_start: refused })
  await lifecycle.run(() => Promise.reject(new Error('no port')))
  expect(refused.mock.calls).toEqual([[new Error('no port')]])
  expect(lines.join('')).not.toContain('no port')
  expect(host.exit.mock.calls).toEqual([[1]])
})

test('SIGTERM is told at once, and nothing closes before the notice is over', async () => {
  const { host, lifecycle, exited } = setUp({ notice_ms: 20 })
  const said: string[] = []
  lifecycle.onLeaving((reason) => said.push(`leaves: ${reason}`))
  await lifecycle.run(async () => lifecycle.defer('server', () => said.push('closed')))
  host.emit('SIGTERM')
  expect(said).toEqual(['leaves: SIGTERM'])
  await exited()
  expect(said).toEqual(['leaves: SIGTERM', 'closed'])
  expect(host.exit.mock.calls).toEqual([[0]])
})

test.each([
  ['Ctrl-C gives no notice', 'SIGINT', 0],
  ['a stray error ends it, and the end is 1', 'uncaughtException', 1],
])('%s', async (_, event, code) => {
  const { host, lifecycle, exited } = setUp({ notice_ms: 2 ** 30 })
  await lifecycle.run(async () => lifecycle.defer('server', () => undefined))
  if (event !== 'SIGINT') host.emit('SIGTERM')
  host.emit(event)
  await exited()
  expect(host.exit.mock.calls).toEqual([[code]])
})

test('a start that is under way gives no notice', async () => {
  const { host, lifecycle, exited } = setUp({ notice_ms: 2 ** 30 })
  void lifecycle.run((stopping) => new Promise((resolve) => stopping.addEventListener('abort', resolve)))
  host.emit('SIGTERM')
  await exited()
  expect(host.exit.mock.calls).toEqual([[0]])
})
