import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, openRepositories, origin, repository, workspace } from './world.ts'

openRepositories()

test('a resume keeps commits that were never pushed, beside what the origin got meanwhile', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  await repository().open()
  await git('commit', '-q', '--allow-empty', '-m', 'only here')
  const mine = await git('rev-parse', 'HEAD')
  origin.commit('session', { b: '2' })
  const resumed = repository()
  expect(await resumed.open()).toBe(true)
  expect(await resumed.health()).toMatchObject({ state: 'ready', commit: mine })
  expect(await resumed.refresh()).toMatchObject({
    updated: false,
    note: expect.stringMatching(/commits that the origin does not have.*git pull/),
    blocked: true,
  })
})

test('a refresh leaves what is not committed alone, and says what stands in the way', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  const opened = repository()
  await opened.open()
  writeFileSync(join(workspace, 'a'), 'mine')
  expect(await opened.refresh()).toEqual({ updated: false, note: null, blocked: false })
  origin.commit('session', { b: '2' })
  expect(await opened.refresh()).toMatchObject({
    note: expect.stringMatching(/not committed/),
    blocked: true,
  })
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('mine')
  await git('checkout', '-q', '--', 'a')
  writeFileSync(join(workspace, 'b'), 'mine')
  expect(await opened.refresh()).toMatchObject({
    note: expect.stringMatching(/untracked.*\bb\b/s),
    blocked: true,
  })
  expect(readFileSync(join(workspace, 'b'), 'utf8')).toBe('mine')
  rmSync(join(workspace, 'b'))
  await git('switch', '-q', '-c', 'other')
  expect(await opened.refresh()).toMatchObject({
    note: expect.stringMatching(/git switch session/),
    blocked: true,
  })
  await git('switch', '-q', 'session')
  expect(await opened.refresh()).toEqual({ updated: true, note: null, blocked: false })
})

test('a resume works without its origin', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  await repository().open()
  await origin.close()
  const resumed = repository()
  expect(await resumed.open()).toBe(true)
  expect(await resumed.health()).toMatchObject({ state: 'ready', error: expect.stringContaining('Fetching') })
})
