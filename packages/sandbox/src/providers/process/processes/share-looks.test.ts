import { expect, test } from 'vitest'
import { shareLooks } from './share-looks.ts'

function setUp() {
  const ends: ((failure?: Error) => void)[] = []
  const look = shareLooks(() => {
    const number = ends.length
    return new Promise<number>((resolve, reject) => {
      ends.push((failure) => (failure ? reject(failure) : resolve(number)))
    })
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { ends, look, turn }
}

test('who asks at the same time is shown the same', async () => {
  const { ends, look, turn } = setUp()
  const asked = [look(), look(), look()]
  await turn()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  expect(await Promise.all(asked)).toEqual([0, 0, 0])
})

test('who asks while one looks is shown what is found after that, and waits for no third', async () => {
  const { ends, look, turn } = setUp()
  const first = look()
  await turn()
  const later = [look(), look()]
  await turn()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  expect(await first).toBe(0)
  await turn()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  expect(await Promise.all(later)).toEqual([1, 1])
})

test('a look that fails is told to those who asked, and the next one is made', async () => {
  const { ends, look, turn } = setUp()
  const first = look()
  await turn()
  const second = look()
  ends[0]?.(new Error('not now'))
  await expect(first).rejects.toThrow('not now')
  await turn()
  ends[1]?.()
  expect(await second).toBe(1)
})
