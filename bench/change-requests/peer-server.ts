import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'

export interface PeerServer {
  /** Answers `<origin>/<name>.git`. */
  readonly origin: string
  readonly version: string
  close(): Promise<void>
}

const program = '/usr/sbin/apache2'
/** Apache does not serve as root; `nobody` on Debian. */
const nobody = { uid: 65_534, gid: 65_534 }

/** Debian's Apache with `git http-backend`, as git's own manual sets it up, on a free loopback port. */
export async function startPeerServer(folder: string, repositories: string): Promise<PeerServer> {
  const port = await freePort()
  await mkdir(folder)
  // Both folders are the bench's own; the server's user only passes through.
  await chmod(folder, 0o777)
  await writeFile(join(folder, 'apache.conf'), configuration(folder, repositories, port))
  const user = process.getuid?.() === 0 ? nobody : {}
  const args = ['-f', join(folder, 'apache.conf'), '-D', 'FOREGROUND']
  const child = spawn(program, args, { ...user, stdio: ['ignore', 'inherit', 'inherit'] })
  const end = () => void child.kill('SIGTERM')
  process.once('exit', end)
  await listening(port, child)
  return {
    origin: `http://127.0.0.1:${port}/git`,
    version: execFileSync(program, ['-v'], { encoding: 'utf8' }).split('\n')[0] ?? '',
    async close() {
      process.off('exit', end)
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const modules = ['mpm_event', 'authz_core', 'alias', 'cgid', 'env', 'setenvif']

const configuration = (folder: string, repositories: string, port: number): string => `
ServerRoot "${folder}"
ServerName localhost
Listen 127.0.0.1:${port}
PidFile "${folder}/apache.pid"
ErrorLog "${folder}/error.log"
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ScriptSock "${folder}/cgid.sock"
SetEnv GIT_PROJECT_ROOT "${repositories}"
SetEnv GIT_HTTP_EXPORT_ALL 1
SetEnv GIT_CONFIG_COUNT 1
SetEnv GIT_CONFIG_KEY_0 safe.directory
SetEnv GIT_CONFIG_VALUE_0 *
SetEnvIf Git-Protocol ".*" GIT_PROTOCOL=$0
ScriptAlias /git/ /usr/lib/git-core/git-http-backend/
<Directory "/usr/lib/git-core">
  Require all granted
</Directory>
`

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Apache ended with ${child.exitCode}; its reason is above`)
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      return
    await sleep(50)
  }
}
