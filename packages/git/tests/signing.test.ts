import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { planMerge } from '../src/index.ts'
import { commit, makeRepositories, testGit } from '../src/testing/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'svc-signing-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const identity = { name: 'svc', email: 'noreply@svc.invalid' }
const committed_at = new Date('2026-03-04T05:06:07Z')

async function makeKey(type: string, passphrase = ''): Promise<string> {
  const file = join(folder, randomUUID())
  await promisify(execFile)('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', 'test', '-f', file])
  return file
}

async function trust(file: string): Promise<string> {
  const allowed = `${file}.allowed`
  await writeFile(allowed, `${identity.email} ${await readFile(`${file}.pub`, 'utf8')}`)
  return allowed
}

test.each(['ed25519', 'ecdsa', 'rsa'])('a merge commit signed with an %s key verifies', async (type) => {
  const signing_key_file = await makeKey(type)
  const made = await makeRepositories({ identity, signing_key_file })
  await made.repositories.createManaged('p', 'main')
  const repository = await made.repositories.open({ kind: 'managed', project_id: 'p' })
  await commit(repository, 'main', { 'a.txt': 'a' })
  const head_sha = await commit(repository, 'work', { 'b.txt': 'b' }, 'Work', { from: 'main' })
  const base_sha = await commit(repository, 'main', { 'c.txt': 'c' })
  const request = { base_sha, head_sha, message: 'Merge CR #1: x\n\nCR: 1\n', committed_at }
  const plan = await planMerge(repository, request)
  if (plan.kind !== 'merge_commit') throw new Error(plan.kind)

  const { git_dir } = repository
  const verify = (allowed: string) =>
    testGit(['-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'verify-commit', plan.commit_sha], { git_dir })
  await verify(await trust(signing_key_file))
  const stranger = await makeKey('ed25519')
  await expect(verify(await trust(stranger))).rejects.toThrow()
  expect(await testGit(['show', '-s', '--format=%P%n%B', plan.commit_sha], { git_dir })).toBe(
    `${base_sha} ${head_sha}\n${request.message.trim()}`,
  )
  expect(await testGit(['fsck', '--strict', '--no-dangling'], { git_dir })).not.toContain('error')
  await made.remove()
})

test('without a key nothing is signed', async () => {
  const made = await makeRepositories({ identity })
  await made.repositories.createManaged('p', 'main')
  const files = { 'a.txt': 'a' }
  const sha = await made.repositories.seed('p', {
    default_branch: 'main',
    files,
    message: 'First',
    committed_at,
  })
  const repository = await made.repositories.open({ kind: 'managed', project_id: 'p' })
  expect(await testGit(['cat-file', '-p', sha], { git_dir: repository.git_dir })).not.toContain('gpgsig')
  await made.remove()
})

test('a key that cannot sign is refused at the start, with the reason', async () => {
  const open = (signing_key_file: string) => makeRepositories({ identity, signing_key_file })
  await expect(open('relative/key')).rejects.toThrow('absolute path')
  await expect(open(join(folder, 'nowhere'))).rejects.toThrow(/cannot sign.*No such file/)
  await expect(open(await makeKey('ed25519', 'secret'))).rejects.toThrow(/cannot sign.*passphrase/)
  const text = join(folder, 'text')
  await writeFile(text, 'not a key\n', { mode: 0o600 })
  await expect(open(text)).rejects.toThrow('cannot sign')
  const shared = await makeKey('ed25519')
  await chmod(shared, 0o644)
  await expect(open(shared)).rejects.toThrow('cannot sign')
})
