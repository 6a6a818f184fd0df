import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Git } from '../../src/git/git.ts'
import { deferred } from '../../src/shared/deferred.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  authorized,
  git,
  grow,
  header,
  openRepositories,
  origin,
  password,
  repository,
  workspace,
} from './world.ts'

openRepositories()

test('of a long history the last commits come first, and the rest while work goes on', async () => {
  grow(120)
  const tip = origin.git('rev-parse', 'main')
  origin.git('branch', 'session', 'main')
  let deepened = 0
  const held = deferred<void>()
  /** The first git is for the clone; the next waits, as a slow origin makes it. */
  const slowly = async (): Promise<Git> => {
    deepened += 1
    if (deepened > 1) await held.promise
    return authorized(password)()
  }
  const opened = repository({ authorized: slowly })
  expect(await opened.open()).toBe(true)
  expect(await opened.health()).toMatchObject({ state: 'ready', commit: tip })
  expect(Number(await git('rev-list', '--count', 'HEAD'))).toBeLessThan(120)

  // The agent can commit and push meanwhile.
  await git('commit', '-q', '--allow-empty', '-m', 'mine')
  await git('push', '-q')
  expect(origin.git('log', '--format=%s', '-1', 'session')).toBe('mine')
  expect(origin.git('rev-list', '--count', 'session')).toBe('121')

  held.resolve()
  await waitFor('the whole history', async () => (await git('rev-list', '--count', 'HEAD')) === '121')
  await waitFor('the end of being shallow', () => !existsSync(join(workspace, '.git', 'shallow')))
  expect(await git('status', '--porcelain')).toBe('')
})

test('a history that stayed unfinished is finished at the next start', async () => {
  grow(120)
  origin.git('branch', 'session', 'main')
  await repository({ is_new: false }).open()
  expect(await git('rev-list', '--count', 'HEAD')).toBe('120')
  rmSync(workspace, { recursive: true })
  mkdirSync(workspace)
  await git('init', '-q', '-b', 'other', '.')
  await git('-c', `http.extraHeader=${header()}`, 'fetch', '-q', '--depth=1', origin.url, '+session:session')
  await git('checkout', '-q', '-f', 'session')
  expect(await repository().open()).toBe(true)
  await waitFor('the whole history', async () => (await git('rev-list', '--count', 'HEAD')) === '120')
})
