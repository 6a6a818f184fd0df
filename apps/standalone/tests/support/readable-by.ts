import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

const ask = 'while IFS= read -r path; do if [ -r "$path" ] || [ -w "$path" ]; then echo "$path"; fi; done'

/** Everything below a folder that a user of the machine, without groups, may read or write; only root may ask. */
export async function readableBy(uid: number, folder: string): Promise<readonly string[]> {
  // The target of a link is walked where it lies. A file that vanishes meanwhile is not there to be read.
  const all = spawn('find', [folder, '!', '-type', 'l'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const user = spawn('/bin/sh', ['-c', ask], {
    uid,
    gid: uid,
    cwd: '/',
    stdio: [all.stdout, 'pipe', 'inherit'],
  })
  return (await text(user.stdout)).split('\n').filter((path) => path !== '')
}
