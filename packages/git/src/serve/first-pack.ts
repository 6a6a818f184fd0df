import { PassThrough, Readable } from 'node:stream'
import type { Repository } from '../repository.ts'
import { GitError } from '../runner/git-error.ts'
import { delim, flush, pktLine } from './pkt-lines.ts'
import { readPktLines } from './read-pkt-lines.ts'
import { serveClone } from './serve-clone.ts'

export interface FirstPack {
  /** The commits whose parents are left out. */
  readonly shallow: readonly string[]
  /** A pack that stands by itself. */
  readonly pack: AsyncGenerator<Buffer>
  /** Ends git where the pack is not read to its end. */
  close(): void
}

/** The channels of a side band (gitprotocol-pack). */
const band = { pack: 1, progress: 2 } as const

/**
 * The answer to a shallow clone of these commits, made without a client: it is kept for the next one that begins with
 * the same commits, as that of any clone is.
 */
export async function firstPack(
  repository: Repository,
  { commits, depth }: { readonly commits: readonly string[]; readonly depth: number },
): Promise<FirstPack> {
  const output = new PassThrough({ highWaterMark: 256 * 1024 })
  const asked = {
    service: 'git-upload-pack',
    advertise: false,
    git_protocol: 'version=2',
    input: Readable.from([Buffer.from(request(commits, depth))]),
    output,
  } as const
  // The platform itself asks, for the tips of branches.
  serveClone(repository, asked, async () => undefined).then(
    ({ exit_code, stderr }) => {
      if (exit_code === 0) output.end()
      else output.destroy(new GitError('upload-pack', exit_code, stderr))
    },
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  const packets = readPktLines(output)
  const shallow: string[] = []
  for (;;) {
    const { value, done } = await packets.next()
    if (done) throw new Error('git answered without a pack')
    if (value === flush || value === delim) continue
    const line = value.toString('latin1').trimEnd()
    if (line === 'packfile') return { shallow, pack: packOf(packets), close: () => void output.destroy() }
    if (line.startsWith('shallow ')) shallow.push(line.slice('shallow '.length))
  }
}

/** A fetch of protocol version 2 from nothing (gitprotocol-v2). */
function request(commits: readonly string[], depth: number): string {
  const wants = [...new Set(commits)].map((commit) => pktLine(`want ${commit}\n`))
  const format = commits.every(({ length }) => length === 40) ? 'sha1' : 'sha256'
  return [
    pktLine('command=fetch\n'),
    pktLine(`object-format=${format}\n`),
    '0001',
    ...['no-progress', 'ofs-delta', `deepen ${depth}`].map((word) => pktLine(`${word}\n`)),
    ...wants,
    pktLine('done\n'),
    '0000',
  ].join('')
}

async function* packOf(packets: ReturnType<typeof readPktLines>): AsyncGenerator<Buffer> {
  let isWhole = false
  for await (const packet of packets) {
    if (packet === flush) isWhole = true
    if (packet === flush || packet === delim) continue
    const said = packet.subarray(1)
    if (packet[0] === band.pack) yield said
    else if (packet[0] !== band.progress) throw new Error(`git: ${said.toString('utf8').trim()}`)
  }
  if (!isWhole) throw new Error('The pack ends before its end')
}
