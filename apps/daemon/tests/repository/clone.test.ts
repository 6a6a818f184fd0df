import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  authorized,
  git,
  leaveLocks,
  openRepositories,
  origin,
  password,
  repository,
  workspace,
} from './world.ts'

openRepositories()

test('clones the session’s branch and not those of other sessions', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', { b: '2' }, 'main')
  origin.commit('other-session', { c: '3' }, 'main')
  expect(await repository().open()).toBe(true)
  expect((await git('branch', '-r')).split(/\s+/).filter(Boolean)).toEqual(['origin/main', 'origin/session'])
  expect(await git('log', '--format=%H', '-1')).toBe(origin.git('rev-parse', 'session'))
  expect(await git('config', 'user.name')).toBe('svc coder "quoted"')
})

test('a folder that holds other things is cloned into, and a plain push works', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'kept.txt'), 'kept')
  expect(await repository().open()).toBe(true)
  expect(readFileSync(join(workspace, 'kept.txt'), 'utf8')).toBe('kept')
  await git('commit', '-q', '--allow-empty', '-m', 'mine')
  await git('push', '-q')
  expect(origin.git('log', '--format=%s', '-1', 'session')).toBe('mine')
})

test('an empty repository gives an unborn branch, whose first push makes it', async () => {
  const opened = repository()
  expect(await opened.open()).toBe(true)
  expect(await opened.health()).toMatchObject({ state: 'ready', branch: 'session', commit: null })
  await git('commit', '-q', '--allow-empty', '-m', 'first')
  await git('push', '-q')
  expect(origin.git('log', '--format=%s', '-1', 'session')).toBe('first')
})

test('a branch that the origin does not have yet is cut from the base', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('release', { r: '1' }, 'main')
  expect(await repository({ base_ref: 'release' }).open()).toBe(true)
  expect(await git('symbolic-ref', '--short', 'HEAD')).toBe('session')
  expect(existsSync(join(workspace, 'r'))).toBe(true)
})

test('a clone that was cut short is done again', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  mkdirSync(workspace)
  await git('init', '-q', '-b', 'session', '.')
  leaveLocks()
  expect(await repository().open()).toBe(true)
  expect(existsSync(join(workspace, 'a'))).toBe(true)
})

test('a clone in which git was killed takes what is new at its next start', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  await repository().open()
  origin.commit('session', { b: '2' })
  leaveLocks()
  const next = repository()
  expect(await next.open()).toBe(true)
  expect((await next.health()).error).toBe(null)
  expect(existsSync(join(workspace, 'b'))).toBe(true)
})

test('with the credential at hand no request is refused, and it is kept nowhere', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', { b: '2' }, 'main')
  expect(await repository({ authorized: authorized(password) }).open()).toBe(true)
  expect(origin.requests.length).toBeGreaterThan(0)
  expect(origin.requests.every((request) => request.authorized)).toBe(true)
  expect(await git('config', '--get-regexp', '.*')).not.toContain('Authorization')
})

test('a credential that is refused leaves git to ask for one', async () => {
  origin.commit('main', { a: '1' })
  origin.commit('session', {}, 'main')
  expect(await repository({ authorized: authorized('wrong') }).open()).toBe(true)
  expect(await git('log', '--format=%H', '-1')).toBe(origin.git('rev-parse', 'session'))
})

test('a clone without an origin fails with git’s words, and never names a credential', async () => {
  await origin.close()
  const failed = repository({ attempts: 2 })
  expect(await failed.open()).toBe(false)
  const health = await failed.health()
  expect(health).toMatchObject({ state: 'failed', commit: null })
  expect(health.error).toMatch(/Failed to connect|Couldn't connect|Connection refused/)
})

test('an attempt that was cut short in the middle of its files is gone on with', async () => {
  origin.commit('main', { a: '1', b: '2' })
  mkdirSync(workspace)
  await git('init', '-q', '-b', 'session', '.')
  writeFileSync(join(workspace, 'a'), 'half of')
  expect(await repository().open()).toBe(true)
  expect(await git('status', '--porcelain')).toBe('')
  expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('1')
})
