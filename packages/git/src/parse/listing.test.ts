import { expect, test } from 'vitest'
import { parseListing, sameBranches } from './listing.ts'

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]

test('branches and the head', () => {
  const text = `ref: refs/heads/main\tHEAD\n${a}\tHEAD\n${a}\trefs/heads/main\n${b}\trefs/heads/x/HEAD\n`
  const listing = parseListing(text)
  expect(listing.head).toBe('main')
  expect([...listing.branches]).toEqual([
    ['main', a],
    ['x/HEAD', b],
  ])
})

test('an empty repository lists nothing', () => {
  expect(parseListing('')).toEqual({ branches: new Map(), head: null })
})

test('same branches', () => {
  expect(sameBranches(new Map([['x', a]]), new Map([['x', a]]))).toBe(true)
  expect(sameBranches(new Map([['x', a]]), new Map([['x', b]]))).toBe(false)
  expect(sameBranches(new Map([['x', a]]), new Map([['y', a]]))).toBe(false)
  expect(sameBranches(new Map(), new Map([['y', a]]))).toBe(false)
})
