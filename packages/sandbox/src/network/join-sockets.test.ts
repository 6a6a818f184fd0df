import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { joinSockets } from './join-sockets.ts'

it('ends the other when one is gone before they meet', () => {
  const [gone, other] = [new PassThrough(), new PassThrough()]
  gone.destroy()
  joinSockets(other, gone)
  expect(other.destroyed).toBe(true)
})
