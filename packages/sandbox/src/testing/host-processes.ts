import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { parseProcessStat } from '@svc/files'

const run = promisify(execFile)

/** The living processes of this machine whose command line holds `text`; sandboxes cannot hide theirs from the host. */
export async function processesNaming(text: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return processesByPs(text)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(async (pid) => ((await names(pid, text)) ? [pid] : [])))
  return found.flat()
}

async function names(pid: number, text: string): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (!line.includes(text)) return false
  const stat = parseProcessStat(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  return stat !== null && stat.state !== 'Z'
}

async function processesByPs(text: string): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,stat=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, state = 'Z', ...args] = line.trim().split(/\s+/)
    return args.join(' ').includes(text) && !state.startsWith('Z') && args[0] !== 'ps' ? [Number(pid)] : []
  })
}
