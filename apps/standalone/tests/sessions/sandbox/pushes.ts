import { join } from 'node:path'
import type { Project } from '@svc/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { bash, commitAndPush, promptAgent, startSession, write } from '../../support/sessions/agent.ts'
import { git, tryGit } from '../../support/clients/git.ts'
import { onPi, platform } from './world.ts'

describe('who may push what', () => {
  let clone: string
  let push_token: string
  let project: Project

  beforeAll(async () => {
    const made = await onPi('Pushes')
    project = made
    push_token = made.push_token ?? ''
    clone = join(platform.place.root, 'pushes')
    await git(['clone', '-q', project.repo_url, clone], { token: platform.token })
  })

  const push = (token: string, ...args: string[]) =>
    tryGit(['push', '-q', 'origin', ...args], { cwd: clone, token })
  const commit = (message: string) => git(['commit', '-q', '--allow-empty', '-m', message], { cwd: clone })

  test('a manager may fast-forward the default branch, and nobody may force or delete it', async () => {
    await commit('Fast-forward')
    expect(await push(platform.token, 'HEAD:main')).toMatchObject({ code: 0 })
    await git(['reset', '-q', '--hard', 'HEAD~1'], { cwd: clone })
    await commit('Rewritten')
    for (const args of [['HEAD:main'], ['--force', 'HEAD:main'], ['--delete', 'main']]) {
      const refused = await push(platform.token, ...args)
      expect(refused.code, `${args.join(' ')} ${refused.stderr}`).not.toBe(0)
    }
    await git(['reset', '-q', '--hard', 'origin/main'], { cwd: clone })
  })

  test('the push token may, a project token may not', async () => {
    await commit('By the push token')
    expect(await push(push_token, 'HEAD:main')).toMatchObject({ code: 0 })
    const { token } = await platform.client.projects.tokens.create(project.project_id)
    await commit('By a project token')
    const refused = await push(token, 'HEAD:main')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('change request')
    expect(await push(token, 'HEAD:refs/heads/a-branch')).toMatchObject({ code: 0 })
  })

  test('an agent pushes its own branch alone: no tag, no other branch, no other session’s', async () => {
    const { session } = await startSession(platform.client, project.project_id, [bash('echo ready')])
    const turn = await promptAgent(
      platform.client,
      session,
      write('own.txt', 'x\n'),
      commitAndPush('Own'),
      bash('git push origin HEAD:refs/heads/a-branch 2>&1; echo "exit $?"'),
      bash('git tag v1 && git push origin v1 2>&1; echo "exit $?"'),
      bash('git push origin --delete a-branch 2>&1; echo "exit $?"'),
      bash('git push origin HEAD:refs/notes/x 2>&1; echo "exit $?"'),
      bash('git commit -q --amend -m Rewritten && git push -q --force 2>&1; echo "exit $?"'),
    )
    const [, , ...rest] = turn.outputs
    expect(
      rest.map((output) => /exit (\d+)/.exec(output)?.[1]),
      rest.join('\n'),
    ).toEqual(['1', '1', '1', '1', '0'])
    const refs = await git(['ls-remote', project.repo_url], { token: platform.token })
    expect(refs).not.toContain('refs/tags')
    expect(refs).not.toContain('refs/notes')
  })
})
