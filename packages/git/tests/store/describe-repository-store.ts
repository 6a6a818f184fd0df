import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RefChange, RepositoryStore } from '../../src/store/repository-store.ts'
import { testGit } from '../../src/testing/index.ts'

/** The suite that every kind of store passes; `open` gives the stores of two processes over one storage. */
export function describeRepositoryStore(name: string, open: () => Promise<readonly RepositoryStore[]>): void {
  describe(name, () => {
    let one: RepositoryStore
    let other: RepositoryStore

    beforeAll(async () => {
      const [first, second] = await open()
      if (first === undefined || second === undefined) throw new Error('two stores are needed')
      one = first
      other = second
    })

    const made = async () => {
      const project_id = randomUUID()
      await one.create(project_id, 'refs/heads/main')
      return project_id
    }
    const dirOf = async (project_id: string, store = one) => {
      const opened = await store.open(project_id)
      if (opened === null) throw new Error('the repository is not there')
      return opened.dir
    }
    /** A commit that no reference holds. */
    const write = async (project_id: string, message: string) => {
      const dir = await dirOf(project_id)
      const tree = await testGit(['-C', dir, 'hash-object', '-t', 'tree', '-w', '--stdin'])
      const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
      return testGit(['-C', dir, ...author, 'commit-tree', tree, '-m', message])
    }
    const publish = async (project_id: string, refs: readonly RefChange[], store = one) => {
      const opened = await store.open(project_id)
      return store.publish({ project_id, expected: opened?.generation ?? 0, refs })
    }
    const refsOf = async (project_id: string, store = other) =>
      testGit(['-C', await dirOf(project_id, store), 'for-each-ref', '--format=%(refname) %(objectname)'])
    const at = (ref: string, old: string | null, to: string | null): RefChange => ({ ref, old, new: to })

    test('a repository is made once, and its HEAD names the branch of the last who asked', async () => {
      const project_id = await made()
      await other.create(project_id, 'refs/heads/other')
      const head = await testGit(['-C', await dirOf(project_id, other), 'symbolic-ref', 'HEAD'])
      expect(head).toBe('refs/heads/other')
    })

    test('what is not there is null to open, and cannot be measured', async () => {
      const project_id = randomUUID()
      expect(await one.open(project_id)).toBeNull()
      await expect(one.measure(project_id)).rejects.toMatchObject({ code: 'git_mirror_unavailable' })
      await one.remove(project_id)
    })

    test.each(['..', '../x', '', 'a/b', '.hidden', '-x'])('%j is no id of a project', async (project_id) => {
      const refusal = { code: 'invalid_request' }
      await expect(one.create(project_id, 'refs/heads/main')).rejects.toMatchObject(refusal)
      await expect(one.open(project_id)).rejects.toMatchObject(refusal)
    })

    test('what one process published, the next open of another sees', async () => {
      const project_id = await made()
      const sha = await write(project_id, 'first')
      expect(await publish(project_id, [at('refs/heads/main', null, sha)])).toMatchObject({
        kind: 'published',
      })
      expect(await refsOf(project_id)).toBe(`refs/heads/main ${sha}`)
      expect((await other.open(project_id))?.generation).toBe((await one.open(project_id))?.generation)
    })

    test.each(['refs/heads/new', 'refs/heads/with/folder'])(
      'of many that make %s or move it from one commit, one does',
      async (ref) => {
        const project_id = await made()
        const shas = await Promise.all(['a', 'b', 'c', 'd'].map((name) => write(project_id, name)))
        const race = async (old: string | null) => {
          const outcomes = await Promise.all(
            shas
              .filter((sha) => sha !== old)
              .map((sha, index) => publish(project_id, [at(ref, old, sha)], index % 2 === 0 ? one : other)),
          )
          expect(outcomes.filter(({ kind }) => kind === 'published')).toHaveLength(1)
          expect(outcomes.every(({ kind }) => kind !== 'rejected')).toBe(true)
          return (await refsOf(project_id)).split(' ')[1] ?? ''
        }
        const first = await race(null)
        const second = await race(first)
        expect(shas).toEqual(expect.arrayContaining([first, second]))
        expect(second).not.toBe(first)
      },
    )

    test('references move together or not at all, and one that goes is gone', async () => {
      const project_id = await made()
      const [a, b] = [await write(project_id, 'a'), await write(project_id, 'b')]
      await publish(project_id, [at('refs/heads/main', null, a), at('refs/heads/side', null, a)])
      const stale = [at('refs/heads/main', a, b), at('refs/heads/side', b, null)]
      expect(await publish(project_id, stale)).toMatchObject({ kind: 'conflict' })
      expect(await refsOf(project_id)).toBe(`refs/heads/main ${a}\nrefs/heads/side ${a}`)
      const whole = [at('refs/heads/main', a, b), at('refs/heads/side', a, null)]
      expect(await publish(project_id, whole)).toMatchObject({ kind: 'published' })
      expect(await refsOf(project_id)).toBe(`refs/heads/main ${b}`)
    })

    test('a branch below the name of another is refused with the reason', async () => {
      const project_id = await made()
      const sha = await write(project_id, 'a')
      await publish(project_id, [at('refs/heads/work', null, sha)])
      const outcome = await publish(project_id, [at('refs/heads/work/part', null, sha)])
      expect(outcome).toMatchObject({ kind: 'rejected', message: expect.stringContaining('refs/heads/work') })
    })

    test('an aborted publication moves nothing', async () => {
      const project_id = await made()
      const [a, b] = [await write(project_id, 'a'), await write(project_id, 'b')]
      await publish(project_id, [at('refs/heads/main', null, a)])
      const refs = [at('refs/heads/main', a, b)]
      const aborted = AbortSignal.abort(new Error('given up'))
      await expect(one.publish({ project_id, expected: 0, refs }, aborted)).rejects.toThrow('given up')
      expect(await refsOf(project_id)).toBe(`refs/heads/main ${a}`)
    })

    test('a repository is as large as what is in it, and nothing once it was removed', async () => {
      const project_id = await made()
      expect(await one.measure(project_id)).toEqual({ bytes: 0, packs: 0 })
      await publish(project_id, [at('refs/heads/main', null, await write(project_id, 'a'))])
      const { bytes } = await other.measure(project_id)
      expect(bytes).toBeGreaterThan(0)
      await other.remove(project_id)
      expect(await one.open(project_id)).toBeNull()
    })
  })
}
