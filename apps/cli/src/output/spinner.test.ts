import pc from 'picocolors'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSpinner, waitingFor } from './spinner.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A terminal that keeps what is written to it. */
function terminal(colors: boolean, columns = 80) {
  const written: string[] = []
  const stderr = Object.assign(Object.create(process.stderr), {
    write: (text: string) => void written.push(text),
  })
  Object.defineProperty(stderr, 'columns', { value: columns })
  return { io: { stderr }, out: { note_colors: pc.createColors(colors) }, written }
}

test('a short wait prints nothing', async () => {
  const { io, out, written } = terminal(true)
  expect(await waitingFor({ io, out }, 'Merging', Promise.resolve(7))).toBe(7)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toEqual([])
})

test('a long one moves, and takes its line away', async () => {
  const { io, out, written } = terminal(true)
  let finish = () => {}
  const waiting = waitingFor({ io, out }, 'Merging', new Promise<void>((resolve) => (finish = resolve)))
  await vi.advanceTimersByTimeAsync(500)
  finish()
  await waiting
  expect(written).toEqual(['\r\u001b[2K⠋ Merging', '\r\u001b[2K⠙ Merging', '\r\u001b[2K'])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toHaveLength(3)
})

test('a failure takes the line away as well', async () => {
  const { io, out, written } = terminal(true)
  const work = new Promise((_, reject) => setTimeout(reject, 450, new Error('no')))
  const waiting = waitingFor({ io, out }, 'Merging', work).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(450)
  expect(await waiting).toMatchObject({ message: 'no' })
  expect(written.at(-1)).toBe('\r\u001b[2K')
})

test('without colour nothing moves', async () => {
  const { io, out, written } = terminal(false)
  createSpinner(io, out).start('Merging')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toEqual([])
})

test('the words never wrap', async () => {
  const { io, out, written } = terminal(true, 20)
  const spinner = createSpinner(io, out)
  spinner.start('a wait with far too many words')
  await vi.advanceTimersByTimeAsync(400)
  spinner.stop()
  expect(written[0]).toBe('\r\u001b[2K⠋ a wait with far t')
})
