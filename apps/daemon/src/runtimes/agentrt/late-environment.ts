import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claimedWord, prewarmVariable, prewarmingWord, standbyWord } from '../standby/standby-words.ts'

/**
 * Runs in the runtime's process before the runtime itself. The runtime looks at its environment when it is first asked
 * for something of a project, and anew for each; so the environment may come until then, one for a prewarming first.
 */
const script = `const { env, stdin, stdout } = process
delete env.BUN_INSPECT_PRELOAD
let text = ''
let isClaimed = false
stdin.setEncoding('utf8')
stdin.on('data', (chunk) => {
  const lines = (text + chunk).split('\\n')
  text = lines.pop()
  for (const line of lines) {
    const given = JSON.parse(line)
    for (const name of Object.keys(env)) if (!(name in given)) delete env[name]
    Object.assign(env, given)
    isClaimed = !('${prewarmVariable}' in given)
    stdout.write(isClaimed ? '${claimedWord}\\n' : '${prewarmingWord}\\n')
  }
})
stdin.on('end', () => isClaimed || process.exit(0))
stdin.resume()
stdout.write('${standbyWord}\\n')
`

/** The variable with which the runtime's engine loads a script first. It is not inherited by what the runtime starts. */
export async function lateEnvironment(home: string): Promise<Record<string, string>> {
  const path = join(home, '.svc', 'late-environment.cjs')
  await mkdir(join(home, '.svc'), { recursive: true, mode: 0o700 })
  await writeFile(path, script)
  return { BUN_INSPECT_PRELOAD: path }
}
