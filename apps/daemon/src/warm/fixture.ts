import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConfigDir } from '@svc/facts'
import { createGit, must } from '../git/git.ts'
import { prewarmNames, type PrewarmFixture } from '../runtimes/standby/prewarm-target.ts'
import { openStubModel } from './stub-model.ts'

const agentFile = '---\ndescription: plays a part\nmode: primary\n---\nYou prewarm.\n'
const manifest = `svc_version: 2\nagents:\n  ${prewarmNames.agent}: { description: 'plays a part' }\n`
const gitSettings = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'svc',
  GIT_AUTHOR_EMAIL: 'svc@localhost',
  GIT_COMMITTER_NAME: 'svc',
  GIT_COMMITTER_EMAIL: 'svc@localhost',
}

/** A repository of one commit, with what most projects have, and a model; both are gone after `close`. */
export async function openFixture(
  host: string,
  home: string,
): Promise<{ readonly fixture: PrewarmFixture; close(): Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-prewarm-')))
  const workspace = join(folder, 'workspace')
  const config_dir = join(workspace, defaultConfigDir)
  const model = await openStubModel(host)
  const close = async (): Promise<void> => {
    model.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await mkdir(join(config_dir, 'agents'), { recursive: true })
    await Promise.all([
      writeFile(join(workspace, 'AGENTS.md'), 'Nothing is to be done.\n'),
      writeFile(join(workspace, 'svc.yaml'), manifest),
      writeFile(join(config_dir, 'agents', `${prewarmNames.agent}.md`), agentFile),
    ])
    const git = createGit(workspace, home, gitSettings)
    await must('git init', git('init', '-q'))
    await must('git add', git('add', '.'))
    await must('git commit', git('commit', '-q', '-m', 'Begin'))
    return { fixture: { folder, workspace, config_dir, model_url: model.url }, close }
  } catch (error) {
    await close()
    throw error
  }
}
