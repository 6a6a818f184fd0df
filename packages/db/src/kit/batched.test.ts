import { expect, test } from 'vitest'
import { batched } from './batched.ts'

test('what comes while one runs goes together into the next', async () => {
  const calls: number[][] = []
  let release = () => {}
  const double = batched(async (inputs: readonly number[]) => {
    calls.push([...inputs])
    if (calls.length === 1) await new Promise<void>((resolve) => (release = resolve))
    return inputs.map((input) => input * 2)
  })
  const first = double(1)
  await expect.poll(() => calls.length).toBe(1)
  const others = [double(2), double(3), double(2)]
  release()
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 4])
  expect(calls).toEqual([[1], [2, 3, 2]])
})

test('nobody is refused for a neighbour', async () => {
  const run = batched(async (inputs: readonly number[]) => {
    if (inputs.includes(2)) throw new Error('not two')
    return inputs
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(run))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await run(4)).toBe(4)
})

test('a crowd is cut into pieces', async () => {
  const sizes: number[] = []
  const run = batched(async (inputs: readonly number[]) => {
    sizes.push(inputs.length)
    return inputs
  })
  const wanted = Array.from({ length: 200 }, (_, index) => index)
  expect(await Promise.all(wanted.map(run))).toEqual(wanted)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64)
})
