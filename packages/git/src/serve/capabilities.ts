import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '../repository.ts'
import { GitError } from '../runner/git-error.ts'
import type { Runner } from '../runner/runner.ts'

interface Advertised extends Pick<Repository, 'git_dir' | 'signal'> {
  readonly runner: Pick<Runner, 'run'>
}

/** The first answer of git's upload-pack in protocol version 2. */
export interface Capabilities {
  of(repository: Advertised): Promise<Buffer>
}

const maxKnown = 64

/**
 * The advertisement of version 2 names no ref: it follows from git and from its configuration alone, of which only the
 * repository's own file can change while this process runs. So git is asked once for each content of that file.
 */
export function createCapabilities(): Capabilities {
  const known = new Map<string, Buffer>()
  return {
    async of({ git_dir, runner, signal }) {
      const configuration = await readFile(join(git_dir, 'config'), 'utf8')
      const kept = known.get(configuration)
      if (kept !== undefined) return kept
      const args = ['upload-pack', '--stateless-rpc', '--http-backend-info-refs', git_dir]
      const answer = await runner.run(args, { signal, env: { GIT_PROTOCOL: 'version=2' } })
      if (answer.exit_code !== 0) throw new GitError('upload-pack', answer.exit_code, answer.stderr)
      if (known.size >= maxKnown) known.clear()
      known.set(configuration, answer.stdout)
      return answer.stdout
    },
  }
}
