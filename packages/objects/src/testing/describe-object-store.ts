import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ObjectStore } from '../object-store.ts'
import { readObject } from '../read-object.ts'

/**
 * Promises of every store. `makeUnusable` takes the place of the objects away; `is_atomic` is false for a server of
 * tests that mixes what two write at once, as no server of S3 does.
 */
export function describeObjectStore(
  name: string,
  open: () => Promise<{
    readonly store: ObjectStore
    makeUnusable(): Promise<void>
    close(): Promise<void>
  }>,
  { is_atomic = true } = {},
): void {
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof open>>
    let store: ObjectStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.close())

    const text = async (key: string, range?: { offset: number; length: number }) =>
      (await readObject(store, key, range))?.toString() ?? null
    const keys = async (prefix: string) => {
      const found: string[] = []
      for await (const { key } of store.list(prefix)) found.push(key)
      return found.sort()
    }

    test('an object is read as it was put, whole and in part, and replaced whole', async () => {
      await store.put('a/first', Buffer.from('0123456789'))
      expect(await text('a/first')).toBe('0123456789')
      expect(await text('a/first', { offset: 3, length: 4 })).toBe('3456')
      expect(await text('a/first', { offset: 8, length: 40 })).toBe('89')
      await store.put('a/first', Buffer.from('new'))
      expect(await text('a/first')).toBe('new')
      expect(await store.head('a/first')).toMatchObject({ key: 'a/first', bytes: 3 })
      const age = Date.now() - ((await store.head('a/first'))?.modified_at.getTime() ?? 0)
      expect(Math.abs(age)).toBeLessThan(3_600_000)
    })

    test('an empty object is one', async () => {
      await store.put('empty', Buffer.alloc(0))
      expect(await text('empty')).toBe('')
      expect(await store.head('empty')).toMatchObject({ bytes: 0 })
    })

    test('a stream of any length arrives whole, also one that is sent in several parts', async () => {
      const chunk = randomBytes(2 ** 20 + 17)
      const count = 35
      await store.put('large', repeated(chunk, count))
      expect(await store.head('large')).toMatchObject({ bytes: chunk.byteLength * count })
      const tail = { offset: chunk.byteLength * (count - 1), length: chunk.byteLength }
      expect((await readObject(store, 'large', tail))?.equals(chunk)).toBe(true)
      await store.put('small', repeated(Buffer.from('ab'), 3))
      expect(await text('small')).toBe('ababab')
      await store.put('none', repeated(Buffer.from('ab'), 0))
      expect(await text('none')).toBe('')
    })

    test('a stream that breaks leaves the object of before', async () => {
      await store.put('broken', Buffer.from('before'))
      const breaks = async function* () {
        yield randomBytes(20 * 2 ** 20)
        throw new Error('The sender is gone')
      }
      await expect(store.put('broken', breaks())).rejects.toThrow('The sender is gone')
      expect(await text('broken')).toBe('before')
      expect(await keys('broken')).toEqual(['broken'])
    })

    test('what is not there is null, and may be removed', async () => {
      expect(await store.get('absent')).toBeNull()
      expect(await store.head('absent/below')).toBeNull()
      await expect(store.delete('absent')).resolves.toBeUndefined()
      expect(await store.copy('absent', 'other')).toBe(false)
      expect(await keys('absent')).toEqual([])
    })

    test('a list has the keys that begin so, and no other', async () => {
      for (const key of ['l/b/2', 'l/b/1', 'l/b.x', 'l/a', 'l/c/d/e', 'la'])
        await store.put(key, Buffer.from(key))
      expect(await keys('l/')).toEqual(['l/a', 'l/b.x', 'l/b/1', 'l/b/2', 'l/c/d/e'])
      expect(await keys('l/b')).toEqual(['l/b.x', 'l/b/1', 'l/b/2'])
      await store.delete('l/b/1')
      await store.delete('l/b/2')
      expect(await keys('l/b')).toEqual(['l/b.x'])
      expect(await text('l/b/1')).toBeNull()
    })

    test('a copy is an object of its own', async () => {
      await store.put('source', Buffer.from('one'))
      expect(await store.copy('source', 'copies/1')).toBe(true)
      await store.put('source', Buffer.from('two'))
      expect(await text('copies/1')).toBe('one')
      await store.delete('source')
      expect(await text('copies/1')).toBe('one')
    })

    if (is_atomic)
      test('of two that put at once a reader meets one, whole', async () => {
        const bodies = ['x', 'y'].map((letter) => Buffer.from(letter.repeat(200_000)))
        await Promise.all(bodies.map((body) => store.put('raced', body)))
        const read = await readObject(store, 'raced')
        expect(bodies.some((body) => read?.equals(body))).toBe(true)
      })

    test.each(['../out', '/rooted', 'a//b', ''])('a key %j is refused', async (key) => {
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrow('cannot be the key')
    })

    test('it says whether it can be used, and an absent store is no absent object', async () => {
      await expect(store.check()).resolves.toBeUndefined()
      await opened.makeUnusable()
      await expect(store.check()).rejects.toThrow()
      await expect(store.put('a/second', Buffer.from('x'))).rejects.toThrow()
      await expect(store.get('a/first')).rejects.toThrow()
      await expect(store.head('a/first')).rejects.toThrow()
      await expect(keys('')).rejects.toThrow()
    })
  })
}

async function* repeated(chunk: Uint8Array, count: number): AsyncIterable<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield chunk
}
