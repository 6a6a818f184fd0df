import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Address {
  readonly address: string
  readonly port: number
}

/** The platform's instructions to a sandbox as it starts. */
export interface Boot {
  readonly environment: Readonly<Record<string, string>>
  readonly forwards: readonly (Address & { readonly host: string })[]
  readonly proxy: Address | null
  readonly daemon: Address
  /** The folder of the sockets of those who have visitors; null for a session, which has none. */
  readonly fronts: string | null
  readonly entrypoint: string | null
}

/** The platform may be starting itself. */
const timeoutMs = 60_000

export async function fetchBoot(relay: string): Promise<Boot> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const text = await ask(relay).catch(() => null)
    if (text === 'null\n') throw new Error('the platform has told this sandbox its environment before')
    if (text !== null && text.endsWith('\n')) return parseBoot(text)
    if (Date.now() > deadline) throw new Error('the platform did not tell this sandbox its environment')
    await sleep(100)
  }
}

function ask(relay: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(relay)
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
    socket.write('boot\n')
  })
}

/** Named boundary: the platform wrote this line from the same type a moment ago. */
function parseBoot(text: string): Boot {
  return JSON.parse(text) as Boot
}
