import { expect, test } from 'vitest'
import { eachOf } from './each-of.ts'

test('all are worked, whatever becomes of the others, and what failed is thrown afterwards', async () => {
  const worked: number[] = []
  const work = async (n: number) => {
    worked.push(n)
    if (n % 2 === 0) throw new Error(`no ${n}`)
  }
  expect(await eachOf([1, 3], work)).toBe(2)
  await expect(eachOf([2, 5], work)).rejects.toThrow(/^no 2$/)
  await expect(eachOf([4, 7, 6], work)).rejects.toThrow('2 of 3 failed, the first with: no 4')
  expect(worked).toEqual([1, 3, 2, 5, 4, 7, 6])
})

test('a failure that is thrown at once is one of one', async () => {
  const worked: string[] = []
  const broken = () => {
    throw new Error('at once')
  }
  const work = (what: string) => (what === 'a' ? broken() : Promise.resolve(worked.push(what)))
  await expect(eachOf(['a', 'b'], work)).rejects.toThrow('at once')
  expect(worked).toEqual(['b'])
})
